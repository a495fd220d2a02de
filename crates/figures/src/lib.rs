//! Figures: charts drawn as SVG, whose text, colours and shapes are read with and without colour, and numbers as they are printed.
//!
//! * [`format`](mod@format): numbers and intervals by their [`Unit`]
//! * [`scale`]: from values to places, with ticks
//! * [`svg`]: a drawing, in a page or as a file
//! * [`chart`]: kinds of charts, which take plain numbers and looks

pub mod chart;
pub mod format;
pub mod scale;
pub mod svg;
mod unit;

pub use unit::Unit;
