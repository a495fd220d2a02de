//! Native module of the Python package `catapult`. It has boards, environments, search, networks
//! and recorded games, with numpy arrays.
//!
//! This crate is the module `catapult._catapult`. The Python code and the type stubs are in
//! `python/catapult`.
//!
//! Python classes are not generic. Each object has a variant. Boards and environments hold an
//! `AnyGame`, and training samples implement a trait of the module `data`.
#![cfg(feature = "extension-module")]

mod board;
mod data;
mod encode;
mod engine;
mod errors;
mod judge;
mod line;
mod moves;
mod network;
mod pgn;
mod play;
mod values;
mod vector;

use pyo3::prelude::*;

/// Raises ImportError if the processor lacks instructions that this build uses. Without the check,
/// Python would crash with "illegal instruction".
fn check_processor() -> PyResult<()> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !(std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2")) {
        return Err(pyo3::exceptions::PyImportError::new_err(
            "this build of catapult needs a processor with AVX2 and BMI2 (x86-64-v3); a wheel built by scripts/python runs on any x86-64",
        ));
    }
    Ok(())
}

/// Native module of `catapult`.
#[pymodule]
fn _catapult(module: &Bound<'_, PyModule>) -> PyResult<()> {
    check_processor()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::Floor>()?;
    module.add_class::<board::Outcome>()?;
    module.add_class::<board::Piece>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<moves::LegalMoves>()?;
    module.add_class::<data::Batches>()?;
    module.add_class::<data::GamePlayed>()?;
    module.add_class::<data::PyRows>()?;
    module.add_class::<data::PyShard>()?;
    module.add_function(wrap_pyfunction!(data::find_shards, module)?)?;
    module.add_function(wrap_pyfunction!(data::learner_seed, module)?)?;
    module.add_function(wrap_pyfunction!(data::parse_toml, module)?)?;
    module.add_function(wrap_pyfunction!(data::window, module)?)?;
    module.add_function(wrap_pyfunction!(play::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(play::selfplay, module)?)?;
    module.add_class::<engine::Analysis>()?;
    module.add_class::<engine::Engine>()?;
    module.add_function(wrap_pyfunction!(engine::search_settings, module)?)?;
    module.add_class::<judge::Positions>()?;
    module.add_class::<engine::PyLine>()?;
    module.add_class::<network::Network>()?;
    module.add_function(wrap_pyfunction!(network::inspect, module)?)?;
    module.add_class::<pgn::PgnReader>()?;
    module.add_class::<vector::VectorGames>()?;
    module.add_function(wrap_pyfunction!(pgn::write_pgn, module)?)?;
    module.add_function(wrap_pyfunction!(board::variants, module)?)?;
    module.add_function(wrap_pyfunction!(board::about, module)?)?;
    module.add_function(wrap_pyfunction!(board::check_actions, module)?)?;
    module.add_function(wrap_pyfunction!(board::restore_board, module)?)?;
    Ok(())
}
