//! Generators, including generators that combine other generators (`generator_spec_processor.go`, `matrix.go`,
//! `merge.go`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::context::GeneratorContext;
use super::flatten::{flatten, format_value};
use super::params::{ExpansionFailure, Params};
use super::render::{Renderer, template_failure};
use super::selector::Selector;
use super::{cluster_params, git, list};
use crate::gitops::object::items;
use crate::go::sprig::merge_entries;
use crate::go::template::TemplateValue;

/// Keys of a generator, in Go's order.
const KINDS: [&str; 9] =
    ["list", "clusters", "git", "scmProvider", "clusterDecisionResource", "pullRequest", "matrix", "merge", "plugin"];

/// Maximum nesting depth of generators. Argo CD's type has no deeper levels.
const MAX_DEPTH: usize = 3;

pub struct Generators<'g> {
    pub renderer: &'g Renderer<'g>,
    pub context: &'g GeneratorContext<'g>,
    /// Maximum number of parameter sets.
    pub max_param_sets: usize,
}

impl Generators<'_> {
    /// Returns the parameter sets of an item in `generators`, by kind of generator (`Transform`). An item usually
    /// contains only one kind.
    pub fn expand(&self, generator: &Value) -> Vec<(&'static str, Result<Vec<Params>, ExpansionFailure>)> {
        let is_set = |kind: &&str| generator.get(*kind).is_some_and(|value| !value.is_null());
        let kinds = KINDS.into_iter().filter(is_set);
        kinds.map(|kind| (kind, self.matching_params(generator, kind, 1))).collect()
    }

    /// Returns the parameter sets from one kind of generator in an item, except those that do not match the item's
    /// selector.
    fn matching_params(
        &self,
        generator: &Value,
        kind: &'static str,
        depth: usize,
    ) -> Result<Vec<Params>, ExpansionFailure> {
        let selector = generator.get("selector").filter(|selector| !selector.is_null());
        let selector = selector.map(Selector::new).transpose().map_err(ExpansionFailure::Mistake)?;
        let param_sets = self.params(generator.get(kind).unwrap_or(&Value::Null), kind, depth)?;
        self.check_count(param_sets.len())?;
        let Some(selector) = selector else {
            return Ok(param_sets);
        };
        let mut selected_sets = Vec::new();
        for params in param_sets {
            if selector.is_match(&flatten(&params, self.renderer)?) {
                selected_sets.push(params);
            }
        }
        Ok(selected_sets)
    }

    fn params(&self, generator: &Value, kind: &'static str, depth: usize) -> Result<Vec<Params>, ExpansionFailure> {
        match kind {
            "list" => list::params(generator, self.renderer),
            "git" => git::params(generator, self.context, self.renderer),
            "clusters" => cluster_params::params(generator, self.context, self.renderer),
            "matrix" => self.matrix(generator, depth),
            "merge" => self.merge(generator, depth),
            other => Err(ExpansionFailure::Skipped(format!("needs the network: {other} generator"))),
        }
    }

    fn check_count(&self, count: usize) -> Result<(), ExpansionFailure> {
        if count > self.max_param_sets {
            return Err(ExpansionFailure::Mistake(format!(
                "it generates more than {} Applications",
                self.max_param_sets
            )));
        }
        self.renderer.spend(count)
    }

    /// Returns the parameter sets of a nested generator. The generator is first rendered with `first`, a parameter set
    /// from the first nested generator, if any.
    fn nested_params(
        &self,
        generator: &Value,
        first: Option<&Params>,
        depth: usize,
    ) -> Result<Vec<Params>, ExpansionFailure> {
        let mistake = |reason: &str| ExpansionFailure::Mistake(reason.to_owned());
        if depth > MAX_DEPTH {
            return Err(mistake("generators are nested too deeply"));
        }
        let mut kinds = KINDS.into_iter().filter(|kind| generator.get(*kind).is_some_and(|value| !value.is_null()));
        let kind = kinds.next().ok_or_else(|| mistake("a generator in a matrix or merge generator is empty"))?;
        if kinds.next().is_some() {
            return Err(mistake("an item in a matrix or merge generator has two generators"));
        }
        match first.filter(|first| !first.is_empty()) {
            Some(first) => {
                let data = self.renderer.data(first)?;
                self.matching_params(&self.render_generator(generator, kind, first, &data)?, kind, depth)
            }
            None => self.matching_params(generator, kind, depth),
        }
    }

    /// Renders a generator (`RenderGeneratorParams`). As in Argo CD, its selector is not rendered.
    fn render_generator(
        &self,
        generator: &Value,
        kind: &str,
        first: &Params,
        data: &TemplateValue,
    ) -> Result<Value, ExpansionFailure> {
        let mut generator = generator.clone();
        if let Some(settings) = generator.get_mut(kind) {
            *settings = self.render_settings(settings, kind, first, data)?;
        }
        Ok(generator)
    }

    /// Renders the settings of a kind of generator. In `values`, templates that use the generator's own parameters are
    /// kept. Nested matrix and merge generators have no template (`NestedMatrixGenerator`).
    fn render_settings(
        &self,
        settings: &Value,
        kind: &str,
        first: &Params,
        data: &TemplateValue,
    ) -> Result<Value, ExpansionFailure> {
        let is_combination = matches!(kind, "matrix" | "merge");
        let mut rendered_settings = Map::new();
        for (key, value) in settings.as_object().into_iter().flatten() {
            self.renderer.spend(1)?;
            let value = match (key.as_str(), value) {
                ("values", Value::Object(values)) if matches!(kind, "git" | "clusters") => {
                    let known_values = values.iter().map(|(key, value)| {
                        let text = value.as_str().unwrap_or_default();
                        Ok((key.clone(), self.renderer.known_text(text, first, data)?.into()))
                    });
                    Value::Object(known_values.collect::<Result<_, ExpansionFailure>>()?)
                }
                ("generators", Value::Array(items)) if is_combination => {
                    self.renderer.spend(items.len())?;
                    let items = items.iter().map(|item| self.render_item(item, first, data));
                    Value::Array(items.collect::<Result<_, _>>()?)
                }
                ("template", _) if is_combination => continue,
                _ => self.renderer.value(value, first, data)?,
            };
            rendered_settings.insert(key.clone(), value);
        }
        Ok(Value::Object(rendered_settings))
    }

    /// Renders an item of a matrix or merge generator, including its selector.
    fn render_item(&self, item: &Value, first: &Params, data: &TemplateValue) -> Result<Value, ExpansionFailure> {
        let entries = item.as_object().into_iter().flatten();
        let rendered_entries = entries.map(|(key, value)| {
            self.renderer.spend(1)?;
            let value = match KINDS.contains(&key.as_str()) && value.is_object() {
                true => self.render_settings(value, key, first, data)?,
                false => self.renderer.value(value, first, data)?,
            };
            Ok((key.clone(), value))
        });
        Ok(Value::Object(rendered_entries.collect::<Result<_, ExpansionFailure>>()?))
    }

    /// Combines each parameter set of the first generator with each parameter set of the second generator
    /// (`MatrixGenerator.GenerateParams`).
    fn matrix(&self, matrix: &Value, depth: usize) -> Result<Vec<Params>, ExpansionFailure> {
        let [first, second] = items(matrix, "generators") else {
            return Err(ExpansionFailure::Mistake("a matrix generator does not have two generators".to_owned()));
        };
        let mut param_sets = Vec::new();
        for first_params in self.nested_params(first, None, depth + 1)? {
            for second_params in self.nested_params(second, Some(&first_params), depth + 1)? {
                param_sets.push(match self.renderer.is_go {
                    true => merge_entries(second_params, &first_params, true).map_err(template_failure)?,
                    false => self.combine(&first_params, &second_params)?,
                });
                self.check_count(param_sets.len())?;
            }
        }
        Ok(param_sets)
    }

    /// Merges two parameter sets. A parameter that occurs in both must have equal values (`CombineStringMaps`).
    fn combine(&self, first: &Params, second: &Params) -> Result<Params, ExpansionFailure> {
        let mut combined = BTreeMap::new();
        for (key, value) in first.iter().chain(second) {
            let value = format_value(value, self.renderer)?;
            if combined.get(key).is_some_and(|known| *known != value) {
                let reason = format!("both generators of a matrix have the parameter `{key}`, with different values");
                return Err(ExpansionFailure::Mistake(reason));
            }
            combined.insert(key.clone(), value);
        }
        Ok(combined.into_iter().map(|(key, value)| (key, TemplateValue::text(value))).collect())
    }

    /// Overrides parameters of the first generator with parameters of other generators that have the same merge keys
    /// (`MergeGenerator.GenerateParams`).
    fn merge(&self, merge: &Value, depth: usize) -> Result<Vec<Params>, ExpansionFailure> {
        let mistake = |reason: &str| ExpansionFailure::Mistake(reason.to_owned());
        let [first, other_generators @ ..] = items(merge, "generators") else {
            return Err(mistake("a merge generator does not have two generators"));
        };
        let keys: BTreeSet<&str> = items(merge, "mergeKeys").iter().filter_map(Value::as_str).collect();
        if other_generators.is_empty() {
            return Err(mistake("a merge generator does not have two generators"));
        }
        if keys.is_empty() {
            return Err(mistake("a merge generator has no `mergeKeys`"));
        }
        let mut base_sets = self.nested_params(first, None, depth + 1)?;
        let mut by_key = self.index_by_merge_key(&keys, &base_sets)?;
        for other_generator in other_generators {
            let overrides = self.nested_params(other_generator, None, depth + 1)?;
            let overriding_sets = self.index_by_merge_key(&keys, &overrides)?;
            for (key, index) in &mut by_key {
                let overriding_params = overriding_sets.get(key).and_then(|index| overrides.get(*index));
                let (Some(overriding_params), Some(params)) = (overriding_params, base_sets.get_mut(*index)) else {
                    continue;
                };
                self.renderer.spend(overriding_params.len())?;
                if self.renderer.is_go {
                    *params =
                        merge_entries(std::mem::take(params), overriding_params, true).map_err(template_failure)?;
                } else {
                    params.extend(overriding_params.clone());
                }
            }
        }
        Ok(base_sets)
    }

    /// Maps the merge keys of each parameter set, as JSON, to the index of the set.
    fn index_by_merge_key(
        &self,
        keys: &BTreeSet<&str>,
        sets: &[Params],
    ) -> Result<BTreeMap<String, usize>, ExpansionFailure> {
        let mut by_key = BTreeMap::new();
        for (index, params) in sets.iter().enumerate() {
            let mut values = Map::new();
            for key in keys {
                let value = params.get(*key).unwrap_or(&TemplateValue::Nil);
                // The size of the value is counted against the limit before the value is converted.
                format_value(value, self.renderer)?;
                values.insert((*key).to_owned(), value.to_json());
            }
            let key = Value::Object(values).to_string();
            if by_key.insert(key, index).is_some() {
                let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
                let reason = format!(
                    "a generator in a merge generator has two parameter sets with the same {}",
                    keys.join(", ")
                );
                return Err(ExpansionFailure::Mistake(reason));
            }
        }
        Ok(by_key)
    }
}
