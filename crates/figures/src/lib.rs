//! Figures: charts drawn as SVG, whose text, colours and shapes are read with and without colour, and numbers as they are printed.
//!
//! * [`format`](mod@format): numbers and intervals by their [`Unit`]
//! * [`scale`]: from values to places, with ticks
//! * [`svg`]: a drawing, in a page or as a file
//! * [`chart`]: kinds of charts, which take plain numbers and looks
//!
//! ```
//! use catapult_figures::{Unit, format};
//! assert_eq!(format::value(0.125, Unit::Share), "12.5 %");
//! assert_eq!(format::difference_interval([-0.02, 0.131], Unit::Share), "[−2.0, +13.1]");
//! ```

pub mod chart;
pub mod format;
pub mod scale;
pub mod svg;
mod unit;

pub use unit::Unit;
