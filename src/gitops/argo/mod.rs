//! Argo CD: Applications and ApplicationSets.
