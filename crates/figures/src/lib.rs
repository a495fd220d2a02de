//! Figures: charts in SVG that are readable without colour, and formatting of numbers.
//!
//! * [`format`](mod@format): formatting of numbers and intervals by [`Unit`]
//! * [`scale`]: conversion of values to pixels, and axis ticks
//! * [`svg`]: drawings, for pages and files
//! * [`chart`]: charts of plain numbers
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
