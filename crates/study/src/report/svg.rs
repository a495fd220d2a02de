//! Drawing: elements of SVG with everything escaped, and the one style sheet of all figures.

use std::fmt::Write as _;

/// Which end of a text stands at its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A picture: its size in pixels and its elements.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    body: String,
}

/// Classes of the elements of figures. Series have the colours of Okabe and Ito, which people with any kind of colour
/// vision can tell apart: `s` strokes, `f` fills, `r` ribbons.
pub const LIGHT: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#222}
.dim{fill:#666}.strong{font-weight:600}.onfill{fill:#fff}.onpale{fill:#111}
.paper{fill:#fff}.grid{stroke:#e3e3e3}.axis{stroke:#888}.mark{stroke:#444}.band{fill:#0072b2;fill-opacity:.1}
.none{fill:none}.thick{stroke-width:3}.mid{stroke-width:2}.thin{stroke-width:1}.hair{stroke-width:.7}
.dash{stroke-dasharray:5 3}.dots{stroke-dasharray:2 3}
.s0{stroke:#333}.s1{stroke:#0072b2}.s2{stroke:#e69f00}.s3{stroke:#009e73}.s4{stroke:#cc79a7}.s5{stroke:#d55e00}.s6{stroke:#56b4e9}.s7{stroke:#8a7a00}
.f0{fill:#333}.f1{fill:#0072b2}.f2{fill:#e69f00}.f3{fill:#009e73}.f4{fill:#cc79a7}.f5{fill:#d55e00}.f6{fill:#56b4e9}.f7{fill:#8a7a00}
.faint{fill-opacity:.45}.ribbon{fill-opacity:.16;stroke:none}.wide{fill-opacity:.08;stroke:none}.paired{fill:#999}.void{fill:#d0d0d0}
";

/// What changes on a dark page.
pub const DARK: &str = "\
text{fill:#e4e4e4}.dim{fill:#a0a0a0}.onfill{fill:#fff}.onpale{fill:#111}
.paper{fill:#16181c}.grid{stroke:#33373e}.axis{stroke:#8a8f98}.mark{stroke:#c8c8c8}.band{fill:#56b4e9;fill-opacity:.14}
.s0{stroke:#d8d8d8}.s1{stroke:#3f9ee0}.f0{fill:#d8d8d8}.f1{fill:#3f9ee0}.s7{stroke:#d8c93a}.f7{fill:#d8c93a}
.void{fill:#4a4f57}.paired{fill:#8a8f98}
";

/// Text that is safe between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            // XML has no way to write the other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => safe.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// About how wide a text of this size is drawn: sans-serif letters are some 0.55 of their height wide.
pub fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.55
}

/// A text in lines no wider than this, where its words let it; a no-break space keeps two together.
pub fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width_of(line, size) + width_of(word, size) + size / 2.0 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A coordinate with one digit, which is a tenth of a pixel.
pub fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The attribute of a class, where there is one.
struct Class<'a>(&'a str);

impl std::fmt::Display for Class<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, r#" class="{}""#, self.0) }
    }
}

fn pairs(points: &[(f64, f64)]) -> String {
    let texts: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect();
    texts.join(" ")
}

impl Drawing {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, body: String::new() }
    }

    fn element(&mut self, text: std::fmt::Arguments<'_>) {
        // A string can be written to without end.
        let _ = self.body.write_fmt(text);
        self.body.push('\n');
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(px);
        self.element(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// A rectangle of this size with its upper left corner at `at`, and what is said of it when it is pointed at.
    pub fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), tip: &str) {
        let [x, y, w, h] = [at.0, at.1, size.0.max(0.0), size.1.max(0.0)].map(px);
        let head = format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}""#);
        self.tipped(&head, "rect", tip);
    }

    /// A rectangle whose fill is only this opaque, 0 to 1.
    pub fn shade(&mut self, class: &str, at: (f64, f64), size: (f64, f64), opacity: f64, tip: &str) {
        let [x, y, w, h] = [at.0, at.1, size.0, size.1].map(px);
        let head = format!(
            r#"<rect class="{class}" fill-opacity="{opacity:.2}" x="{x}" y="{y}" width="{w}" height="{h}""#
        );
        self.tipped(&head, "rect", tip);
    }

    /// A line through points; nothing for fewer than two.
    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        if points.len() > 1 {
            self.element(format_args!(r#"<polyline class="none {class}" points="{}"/>"#, pairs(points)));
        }
    }

    /// Strokes along a path of SVG commands.
    pub fn path(&mut self, class: &str, commands: &str) {
        if !commands.is_empty() {
            self.element(format_args!(r#"<path class="none {class}" d="{commands}"/>"#));
        }
    }

    /// A filled shape, and what is said of it when it is pointed at.
    pub fn polygon(&mut self, class: &str, points: &[(f64, f64)], tip: &str) {
        self.tipped(&format!(r#"<polygon class="{class}" points="{}""#, pairs(points)), "polygon", tip);
    }

    /// A disc, and what is said of it when it is pointed at.
    pub fn circle(&mut self, class: &str, at: (f64, f64), radius: f64, tip: &str) {
        let [x, y, r] = [at.0, at.1, radius].map(px);
        self.tipped(&format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{r}""#), "circle", tip);
    }

    fn tipped(&mut self, head: &str, tag: &str, tip: &str) {
        if tip.is_empty() {
            self.element(format_args!("{head}/>"));
        } else {
            self.element(format_args!("{head}><title>{}</title></{tag}>", escape(tip)));
        }
    }

    /// A text whose middle height is at `at`.
    pub fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // Baselines are not centred by every viewer; a third of the letters' height below the middle is.
        let (x, y) = (px(at.0), px(at.1 + 4.0));
        let (class, text) = (Class(class), escape(text));
        self.element(format_args!(r#"<text{class} x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>"#));
    }

    /// A text that reads upwards, with its middle at `at`.
    pub fn upwards(&mut self, class: &str, at: (f64, f64), text: &str) {
        let (x, y) = (px(at.0 + 4.0), px(at.1));
        let (class, text) = (Class(class), escape(text));
        self.element(format_args!(
            r#"<text{class} transform="translate({x} {y}) rotate(-90)" text-anchor="middle">{text}</text>"#
        ));
    }

    /// Another picture, with its upper left corner at `at`.
    pub fn place(&mut self, at: (f64, f64), other: &Drawing) {
        let (x, y) = (px(at.0), px(at.1));
        self.element(format_args!(r#"<g transform="translate({x} {y})">"#));
        self.body += &other.body;
        self.element(format_args!("</g>"));
    }

    /// For a page whose style sheet holds [`LIGHT`].
    pub fn inline(&self, title: &str) -> String {
        let (w, h, title) = (px(self.width), px(self.height), escape(title));
        format!(
            "<svg viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"{title}\">\n{}</svg>",
            self.body
        )
    }

    /// A file of its own: white paper, its title above the picture.
    pub fn file(&self, title: &str) -> String {
        const MARGIN: f64 = 14.0;
        const HEAD: f64 = 30.0;
        let width = self.width.max(width_of(title, 15.0)) + 2.0 * MARGIN;
        let mut whole = Drawing::new(width, self.height + HEAD + 2.0 * MARGIN);
        whole.rect("paper", (0.0, 0.0), (whole.width, whole.height), "");
        whole.text("title", (MARGIN, MARGIN + 8.0), Anchor::Start, title);
        whole.place((MARGIN, MARGIN + HEAD), self);
        let (w, h) = (px(whole.width), px(whole.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
             <title>{}</title>\n<style>{LIGHT}.title{{font-size:15px;font-weight:600}}</style>\n{}</svg>\n",
            escape(title),
            whole.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_escaped_everywhere() {
        let bad = "<script>\"&'\u{1}";
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.text("small", (1.0, 2.0), Anchor::End, bad);
        drawing.upwards("small", (1.0, 2.0), bad);
        drawing.circle("f1", (0.0, 0.0), 2.0, bad);
        drawing.rect("f1", (0.0, 0.0), (1.0, 1.0), bad);
        for svg in [drawing.file(bad), drawing.inline(bad)] {
            assert!(!svg.contains("<script"), "{svg}");
            let tree = roxmltree::Document::parse(&svg).unwrap();
            let texts: Vec<_> = tree.descendants().filter(|n| n.tag_name().name() == "text").collect();
            assert!(texts.iter().all(|n| n.text() == Some("<script>\"&'\u{fffd}")));
            assert!(texts.len() >= 2);
        }
    }

    #[test]
    fn coordinates_have_one_digit_at_most() {
        assert_eq!([12.34, 3.0, -0.01, 100.06].map(px), ["12.3", "3", "0", "100.1"]);
    }
}
