//! Tests that hostile input, hostile file systems and concurrent runs do no damage.

mod aliases;
mod failure;
mod faults;
mod file_system;
mod limits;
mod linear;
mod mutation;
mod one_edit;
mod refused;
mod rounds;
mod shapes;
mod text;
mod trust;
mod two_runs;
