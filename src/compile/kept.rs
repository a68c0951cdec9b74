//! What a compilation leaves for the next one, of almost the same input.

use std::slice;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::{Bundle, Options, compile_documents, compile_while, gather, read_source};
use crate::admit::AdmittedDocument;
use crate::diagnostic::{Diagnostic, Warned};
use crate::source::{Source, SourceId, Sources};

/// Number of changed texts that there is room for, beyond one for each source.
const CHANGES: usize = 1_000;

/// The texts that [`Kept`] documents borrow from. Texts that others took the place of stay until all of them go.
pub struct Texts(Vec<OnceLock<Arc<Source>>>);

impl Texts {
    /// Room for these sources and their changes.
    pub fn of(sources: &Sources) -> Self {
        let room = 2 * sources.shared().len() + CHANGES;
        Self(std::iter::repeat_with(OnceLock::new).take(room).collect())
    }
}

/// The admitted documents of a compilation. The next one, with the same options, reads the sources that changed.
pub struct Kept<'t> {
    free: slice::Iter<'t, OnceLock<Arc<Source>>>,
    parts: Vec<Part<'t>>,
    /// The documents of all parts, in order.
    documents: Vec<AdmittedDocument<'t>>,
    /// Number of bytes of the texts that are not compiled any more.
    stale: usize,
}

/// What was read of one source.
struct Part<'t> {
    id: SourceId,
    source: &'t Arc<Source>,
    /// Number of its documents.
    documents: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Kept<'t> {
    /// Nothing yet.
    pub fn new(texts: &'t Texts) -> Self {
        Self {
            free: texts.0.iter(),
            parts: Vec::new(),
            documents: Vec::new(),
            stale: 0,
        }
    }

    /// Whether anything can be kept for these sources: they have the same names as those before, since a document knows its
    /// source by the number, and what took the place of others is no more than what is compiled.
    pub fn fits(&self, sources: &Sources) -> bool {
        let known = self.parts.iter().map(|part| (part.id, &part.source.name));
        let is_known = self.parts.is_empty() || known.eq(compiled(sources).map(|(id, source)| (id, &source.name)));
        let bytes: usize = compiled(sources).map(|(_, source)| source.text.len()).sum();
        let changed: Vec<_> = self.changed(sources).map(|(place, ..)| self.size(place)).collect();
        is_known && changed.len() <= self.free.len() && self.stale + changed.iter().sum::<usize>() <= bytes
    }

    /// The same as [`compile_while()`]. Without what was kept, where the sources do not [fit](Kept::fits).
    pub fn compile(&mut self, sources: &Sources, options: &Options, is_wanted: &dyn Fn() -> bool) -> Warned<Bundle> {
        if !self.fits(sources) {
            return compile_while(sources, options, is_wanted);
        }
        self.read(sources, options);
        let found = self.parts.iter().map(|part| part.diagnostics.clone());
        let diagnostics = gather(sources, &self.documents, found, options);
        compile_documents(sources, &self.documents, diagnostics, options, is_wanted)
    }

    /// The documents of the last compilation.
    pub fn documents(&self) -> &[AdmittedDocument<'t>] {
        &self.documents
    }

    /// Reads the sources that changed.
    fn read(&mut self, sources: &Sources, options: &Options) {
        let changed: Vec<_> = self.changed(sources).collect();
        let texts = self.free.by_ref().take(changed.len());
        let changed: Vec<_> = changed.into_iter().zip(texts).collect();
        let fresh: Vec<_> = changed
            .into_par_iter()
            .map(|((place, id, source), text)| {
                let source = text.get_or_init(|| Arc::clone(source));
                (place, id, source, read_source(id, source, options))
            })
            .collect();
        let mut parts = std::mem::take(&mut self.parts).into_iter();
        let mut documents = std::mem::take(&mut self.documents).into_iter();
        let mut fresh = fresh.into_iter().peekable();
        for place in 0..compiled(sources).count() {
            let before = parts.next();
            let of_before = before.as_ref().map_or(0, |part| part.documents);
            let documents = documents.by_ref().take(of_before);
            let Some((_, id, source, read)) = fresh.next_if(|fresh| fresh.0 == place) else {
                self.documents.extend(documents);
                self.parts.extend(before);
                continue;
            };
            documents.for_each(drop);
            self.stale += before.map_or(0, |part| part.source.text.len());
            self.parts.push(Part {
                id,
                source,
                documents: read.output.len(),
                diagnostics: read.diagnostics,
            });
            self.documents.extend(read.output);
        }
    }

    /// The sources that are other ones than before, with their places among those that are compiled.
    fn changed<'s>(&self, sources: &'s Sources) -> impl Iterator<Item = (usize, SourceId, &'s Arc<Source>)> {
        let is_kept = |place: usize, source| {
            let part = self.parts.get(place);
            part.is_some_and(|part| Arc::ptr_eq(part.source, source))
        };
        let places = compiled(sources).enumerate();
        places.filter_map(move |(place, (id, source))| (!is_kept(place, source)).then_some((place, id, source)))
    }

    /// Number of bytes of the text at a place.
    fn size(&self, place: usize) -> usize {
        self.parts.get(place).map_or(0, |part| part.source.text.len())
    }
}

/// The sources that are compiled, as in [`super::read`].
fn compiled(sources: &Sources) -> impl Iterator<Item = (SourceId, &Arc<Source>)> {
    sources.shared().filter(|(_, source)| source.whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::emit::Manifest;

    const AGENT: &str = "apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec: {serviceMonitorNamespaceSelector: {}, serviceMonitorSelector: {}}
";

    fn monitors(names: &[&str]) -> String {
        let monitor = |name: &&str| {
            format!(
                "---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: {name}, namespace: shop}}
spec: {{selector: {{}}, endpoints: [{{port: http, unknown: 1}}]}}
"
            )
        };
        names.iter().map(monitor).collect()
    }

    /// Sources in which each text has its name once; those that were there before are the same.
    fn sources(before: &Sources, texts: &[(&str, String)]) -> Sources {
        let mut sources = Sources::default();
        for (name, text) in texts {
            let is_same = |source: &&Arc<Source>| source.name == *name && source.text == *text;
            let same = before.shared().map(|(_, source)| source).find(is_same);
            sources.add(same.map_or_else(|| Arc::new(Source::new(*name, text.as_str(), false)), Arc::clone));
        }
        sources
    }

    fn shown(bundle: &Warned<Bundle>) -> (Vec<String>, String) {
        let objects = bundle.output.objects.iter().map(|object| object.to_yaml());
        (objects.collect(), format!("{:?}", bundle.diagnostics))
    }

    #[test]
    fn what_is_kept_changes_nothing_but_what_is_read() {
        let rounds = [
            monitors(&["a"]),
            monitors(&["a", "b", "c"]),
            monitors(&["b"]),
            "a: [".to_owned(),
            format!("{}  x: {{{{ .Values.x }}}}\n", monitors(&["b"])),
            String::new(),
            monitors(&["twice"]),
            monitors(&["a"]),
        ];
        let text = |middle: &str| {
            let last = monitors(&["twice", "y"]);
            // All changes together are shorter.
            let first = format!("{AGENT}# {}", "-".repeat(10_000));
            [("agent", first), ("middle", middle.to_owned()), ("z", last)]
        };
        let options = Options::default();
        let mut before = sources(&Sources::default(), &text(""));
        let texts = Texts::of(&before);
        let mut kept = Kept::new(&texts);
        let room = kept.free.len();
        for (round, middle) in rounds.iter().enumerate() {
            let now = sources(&before, &text(middle));
            assert!(kept.fits(&now), "{round}");
            assert_eq!(
                shown(&kept.compile(&now, &options, &|| true)),
                shown(&compile(&now, &options)),
                "{round}"
            );
            // All of the first one, and then what changed.
            assert_eq!(room - kept.free.len(), 3 + round, "{round}");
            before = now;
        }
    }

    #[test]
    fn what_does_not_fit_is_compiled_from_nothing() {
        let options = Options::default();
        let first = [("agent", AGENT.to_owned()), ("b", monitors(&["b"]))];
        let before = sources(&Sources::default(), &first);
        let texts = Texts::of(&before);
        let mut kept = Kept::new(&texts);
        kept.compile(&before, &options, &|| true);
        let more = [first.clone().to_vec(), vec![("c", monitors(&["c"]))]].concat();
        let in_front = [vec![("a", monitors(&["a"]))], first.clone().to_vec()].concat();
        let [agent, _] = first;
        for other in [more, in_front, vec![agent]] {
            let now = sources(&before, &other);
            assert!(!kept.fits(&now));
            assert_eq!(
                shown(&kept.compile(&now, &options, &|| true)),
                shown(&compile(&now, &options))
            );
        }
        assert!(kept.fits(&before));
    }

    #[test]
    fn texts_that_are_not_compiled_any_more_are_no_more_than_the_others() {
        let mut before = sources(
            &Sources::default(),
            &[("agent", AGENT.to_owned()), ("b", monitors(&["b"]))],
        );
        let texts = Texts::of(&before);
        let mut kept = Kept::new(&texts);
        let mut rounds = 0;
        while kept.fits(&before) {
            kept.compile(&before, &Options::default(), &|| true);
            rounds += 1;
            before = sources(
                &before,
                &[("agent", format!("{AGENT}# {rounds}")), ("b", monitors(&["b"]))],
            );
        }
        assert_eq!(rounds, 2);
    }
}
