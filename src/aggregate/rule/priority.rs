//! The bounds of the two priorities (`ValidateAPIService`; the upper ones are inclusive, whatever its messages say).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::diagnostic::Diagnostic;

const MAX_GROUP_PRIORITY: i32 = 20_000;
const MAX_VERSION_PRIORITY: i32 = 1_000;

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let bounds = [
        (Field::GroupPriority, service.group_priority_minimum, MAX_GROUP_PRIORITY),
        (Field::VersionPriority, service.version_priority, MAX_VERSION_PRIORITY),
    ];
    for (field, found, max) in bounds {
        if !(1..=max).contains(&found) {
            out.push(diagnostics::priority_out_of_range(service, field, found, max));
        }
    }
}
