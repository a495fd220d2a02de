//! Plays many games at once and records them.
