//! Argo CD: Applications and ApplicationSets.

mod application;
mod application_set;
mod destination;
mod directory;
mod environment;
mod follower;
mod group;
mod guess;
mod kustomize;
mod overrides;
mod source;
mod symlinks;
mod target_objects;

pub use application::directory_build;
pub use follower::ArgoFollower;
