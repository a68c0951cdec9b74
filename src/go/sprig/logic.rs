//! Sprig functions for defaults, conditions and types.

use crate::go::template::{Call, Failure, Function, Outcome, TemplateValue};

pub const FUNCTIONS: &[Function] = &[
    Function { name: "default", parameters: "aa*", run: default },
    Function { name: "empty", parameters: "a", run: |call| Ok(TemplateValue::Bool(!call.get(0).is_true())) },
    Function { name: "coalesce", parameters: "a*", run: coalesce },
    Function { name: "all", parameters: "a*", run: |call| Ok(TemplateValue::Bool(call.arguments.iter().all(is_true))) },
    Function { name: "any", parameters: "a*", run: |call| Ok(TemplateValue::Bool(call.arguments.iter().any(is_true))) },
    Function { name: "ternary", parameters: "aab", run: ternary },
    Function { name: "fail", parameters: "s", run: |call| Err(Failure::error(call.text(0))) },
    Function { name: "typeOf", parameters: "a", run: |call| call.text_result(call.get(0).type_name()) },
    Function { name: "typeIs", parameters: "sa", run: type_is },
    Function { name: "typeIsLike", parameters: "sa", run: type_is },
    Function { name: "kindOf", parameters: "a", run: |call| call.text_result(call.get(0).kind_name()) },
    Function { name: "kindIs", parameters: "sa", run: kind_is },
    Function { name: "deepEqual", parameters: "aa", run: deep_equal },
    Function { name: "deepCopy", parameters: "a", run: deep_copy },
    Function { name: "mustDeepCopy", parameters: "a", run: deep_copy },
];

fn is_true(value: &TemplateValue) -> bool {
    value.is_true()
}

fn deep_copy(call: &mut Call<'_>) -> Outcome {
    match call.get(0) {
        TemplateValue::Missing | TemplateValue::Nil => {
            Err(Failure::error("reflect: call of reflect.Value.Type on zero Value"))
        }
        value => Ok(value.clone()),
    }
}

fn default(call: &mut Call<'_>) -> Outcome {
    let index = usize::from(call.get(1).is_true());
    Ok(call.get(index).clone())
}

fn coalesce(call: &mut Call<'_>) -> Outcome {
    Ok(call.arguments.iter().find(|value| value.is_true()).cloned().unwrap_or(TemplateValue::Nil))
}

fn ternary(call: &mut Call<'_>) -> Outcome {
    let index = usize::from(!call.get(2).is_true());
    Ok(call.get(index).clone())
}

fn type_is(call: &mut Call<'_>) -> Outcome {
    Ok(TemplateValue::Bool(call.get(1).type_name() == call.text(0)))
}

fn kind_is(call: &mut Call<'_>) -> Outcome {
    Ok(TemplateValue::Bool(call.get(1).kind_name() == call.text(0)))
}

fn deep_equal(call: &mut Call<'_>) -> Outcome {
    let (first, second) = (call.get(0), call.get(1));
    call.visit(first)?;
    call.visit(second)?;
    Ok(TemplateValue::Bool(first == second || (first.is_nil() && second.is_nil())))
}
