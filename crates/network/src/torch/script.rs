//! The tower's convolutions as TorchScript, which reaches oneDNN's fused operators.
//!
//! A library that can't load it, or not run it, is left to the plain operators: see [`crate::torch::tower`].

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use tch::CModule;

/// One convolution of the tower. `x` is the tower's state, `y` the inside of a block. At first `x` is what the global
/// inputs add to each channel, and `y` the planes.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// `y = relu(conv(x))`
    First,
    /// `x = relu(x + conv(y))`
    Second,
    /// `x = conv(x)`, 1x1
    Head,
}

/// A module with a method a segment: `x` and `y` before it, weights and biases of all convolutions; gives `x` and `y` behind it. Each
/// step comes with the number of its convolution. None where the library refuses it.
pub(super) fn module<'a>(segments: impl Iterator<Item = &'a [(Step, usize)]>) -> Option<CModule> {
    CModule::load_data(&mut Cursor::new(archive(&text(segments))?)).ok()
}

/// The name of a segment's method.
pub(super) fn method(segment: usize) -> String {
    format!("segment{segment}")
}

fn text<'a>(segments: impl Iterator<Item = &'a [(Step, usize)]>) -> String {
    let mut text = String::from("class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n");
    for (index, steps) in segments.enumerate() {
        // Writing to a String cannot fail.
        let _ =
            writeln!(text, "  def {}(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor,", method(index));
        let _ = writeln!(text, "    w: List[Tensor]) -> Tuple[Tensor, Tensor]:");
        for &(step, conv) in steps {
            let (weight, bias) = (format!("w[{}]", 2 * conv), format!("w[{}]", 2 * conv + 1));
            let geometry = |padding: i32| format!("[{padding}, {padding}], [1, 1], [1, 1], 1");
            let scalars = "annotate(List[Optional[number]], []), \"\"";
            let simple = |out: &str, padding: i32, unary: &str| {
                format!(
                    "    {out} = ops.mkldnn._convolution_pointwise(x, {weight}, {bias}, {}, \"{unary}\", {scalars})",
                    geometry(padding)
                )
            };
            let line = match step {
                Step::First => simple("y", 1, "relu"),
                Step::Head => simple("x", 0, "none"),
                Step::Second => format!(
                    "    x = ops.mkldnn._convolution_pointwise_(x, y, {weight}, {bias}, {}, \"add\", 1.0, \"relu\", {scalars})",
                    geometry(1)
                ),
            };
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "    return (x, y)");
    }
    text
}

/// An archive of one module without attributes.
fn archive(code: &str) -> Option<Vec<u8>> {
    // Pickles (protocol 2): an object of the class with an empty state; an empty tuple.
    let object = b"\x80\x02c__torch__\nNet\n)\x81}b.";
    let files: [(&str, &[u8]); 4] = [
        ("net/data.pkl", object),
        ("net/code/__torch__.py", code.as_bytes()),
        ("net/constants.pkl", b"\x80\x02)."),
        ("net/version", b"3\n"),
    ];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = zip::write::FileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        archive.start_file(name, stored).ok()?;
        archive.write_all(content).ok()?;
    }
    Some(archive.finish().ok()?.into_inner())
}
