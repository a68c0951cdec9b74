/// Which of Go's two YAML libraries is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `gopkg.in/yaml.v3` v3.0.1 `yaml.Marshal`, as the operator writes `agent.yml`: 4 spaces, lists indented, no line
    /// is folded.
    V3,
    /// `sigs.k8s.io/yaml` v1.4.0 `yaml.Marshal`, as `kubectl get -o yaml` writes: JSON first, then go-yaml v2 with 2
    /// spaces, lists not indented, lines folded after column 80.
    Kubernetes,
}

impl Style {
    /// Indentation of a level (`best_indent` in Go's `emitterc.go`).
    pub(super) fn step(self) -> usize {
        match self {
            Style::V3 => 4,
            Style::Kubernetes => 2,
        }
    }

    /// Whether lines are folded (`best_width`).
    pub(super) fn folds(self) -> bool {
        self == Style::Kubernetes
    }
}
