//! Resource requirements for containers (`ValidateResourceRequirements`).

use std::cmp::Ordering;

use crate::check::walk::Expect::{self, Is, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::go::quantity::{compare, round_up};
use crate::go::syntax;

/// Rules for resource limits and requests.
pub(super) const RESOURCES: Rows =
    &[("limits", With(check_quantities)), ("requests", With(check_quantities)), ("", With(check_requirements))];

/// Expects a quantity of at least zero.
pub(super) const NOT_NEGATIVE: Expect =
    Is(|quantity| !compares_as(Ordering::Less, quantity, "0"), "must not be negative");

/// Expects a quantity above zero (`ValidatePositiveQuantityValue`).
pub(super) const POSITIVE: Expect = Is(|quantity| compares_as(Ordering::Greater, quantity, "0"), "must be above zero");

const WHOLE_NUMBER: Expect =
    Is(|quantity| !quantity.ends_with(['n', 'u', 'm']) && !quantity.contains('.'), "must be a whole number");

fn check_quantities<'v>(quantities: Json<'v>, walk: &mut Walk<'v>) {
    for (name, quantity) in quantities.entries() {
        walk.enter(Step::Key(name), |walk| {
            if let Some(problem) = resource_name_problem(name) {
                walk.report(&[], problem);
            }
            walk.check_rule(&NOT_NEGATIVE, quantity);
            if is_extended(name) {
                walk.check_rule(&WHOLE_NUMBER, quantity);
            }
            if let (Some(page), Some(quantity)) = (name.strip_prefix(HUGE_PAGES), quantity.as_str()) {
                check_huge_pages(page, quantity, walk);
            }
        });
    }
}

/// Port of Kubernetes' `validateContainerResourceName`.
fn resource_name_problem(name: &str) -> Option<String> {
    const CONTAINER_RESOURCES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
    if let Some(problem) = syntax::qualified_name(name) {
        return Some(problem);
    }
    let is_known = match name.contains('/') {
        true => is_native(name) || is_extended(name),
        false => CONTAINER_RESOURCES.contains(&name) || is_huge_page(name),
    };
    (!is_known).then(|| "is not a container resource".to_owned())
}

/// Port of Kubernetes' `IsNativeResource`.
fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// Port of Kubernetes' `IsExtendedResourceName`.
fn is_extended(name: &str) -> bool {
    !is_native(name) && !name.starts_with("requests.") && syntax::qualified_name(&format!("requests.{name}")).is_none()
}

/// Prefix of a resource whose name ends with the page size.
const HUGE_PAGES: &str = "hugepages-";

fn is_huge_page(name: &str) -> bool {
    name.starts_with(HUGE_PAGES)
}

/// Port of Kubernetes' `validateResourceQuantityHugePageValue`.
fn check_huge_pages(page: &str, quantity: &str, walk: &mut Walk<'_>) {
    let Ok(bytes) = round_up(quantity) else {
        return;
    };
    let report = match round_up(page) {
        Err(_) | Ok(None | Some(0)) => walk.report(&[], "must end with a page size, such as `hugepages-2Mi`"),
        Ok(Some(page_bytes)) if bytes.is_some_and(|bytes| bytes % page_bytes != 0) => {
            walk.report(&[], format!("must be a multiple of `{page}`")).set_value(quantity)
        }
        Ok(_) => return,
    };
    report.is_warning = true;
}

fn check_requirements<'v>(resources: Json<'v>, walk: &mut Walk<'v>) {
    let entries = |field| resources.get(field).unwrap_or(Json::NULL).entries();
    for (name, request) in entries("requests") {
        let limit = resources.get("limits").and_then(|limits| limits.get(name));
        let at = [Step::Key("requests"), Step::Key(name)];
        let can_exceed = is_native(name) && !is_huge_page(name);
        match (limit.and_then(Json::as_str), request.as_str()) {
            (Some(limit), Some(request)) if compares_as(Ordering::Less, limit, request) => {
                let path = walk.path_below(&[Step::Key("limits"), Step::Key(name)]);
                let report = walk.report(&at, format!("must not exceed its limit of `{limit}`"));
                report.set_value(request).help = "raise the limit, or lower the request".to_owned();
                report.other = Some((path, "the limit is set here"));
            }
            (Some(limit), Some(request)) if !can_exceed && compares_as(Ordering::Greater, limit, request) => {
                walk.report(&at, format!("must be equal to its limit of `{limit}`")).set_value(request);
            }
            (None, Some(_)) if !can_exceed => {
                walk.report(&at, "must have an equal limit");
            }
            _ => {}
        }
    }
    let names: Vec<_> = entries("limits").chain(entries("requests")).map(|(name, _)| name).collect();
    let huge_page = names.iter().find(|name| is_huge_page(name));
    if let Some(name) = huge_page.filter(|_| !names.contains(&"cpu") && !names.contains(&"memory")) {
        walk.report(&[], format!("requires `cpu` or `memory` in addition to `{name}`"));
    }
}

fn compares_as(expected: Ordering, quantity: &str, other: &str) -> bool {
    compare(quantity, other) == Ok(expected)
}
