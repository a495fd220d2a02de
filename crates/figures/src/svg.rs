//! SVG drawings with escaped text, and the style sheets of all figures.

/// Part of a text (start, middle or end) that is placed at the text's coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The start of the text.
    Start,
    /// The middle of the text.
    Middle,
    /// The end of the text.
    End,
}

/// A drawing: its size in pixels and its SVG elements.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    body: String,
}

/// Style sheet of figures for light pages, as CSS.
///
/// Series use the colours of Okabe and Ito, which people with any colour vision can distinguish.
/// The classes `s0` to `s7` colour strokes, `f0` to `f7` colour fills, and `ribbon` makes a fill
/// translucent.
pub const LIGHT: &str = include_str!("light.css");

/// Style sheet of figures for dark pages, as CSS. Pages add it after [`LIGHT`].
pub const DARK: &str = include_str!("dark.css");

/// Escapes text for use between tags and in quoted attributes. Control characters that XML does not
/// allow become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            // XML cannot represent the other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => safe.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Returns the approximate width of a text in pixels, for a font size in pixels. A sans-serif
/// letter is about 0.55 of the font size wide.
pub fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.55
}

/// Wraps a text at spaces into lines of at most `width` pixels. `size` is the font size in pixels.
/// A word that is longer than `width` gets its own line. No-break spaces are not wrapped.
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

/// Formats a coordinate in pixels with at most one decimal.
pub fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns a class attribute made of two class names. Each name may be empty.
fn class_attribute(first: &str, second: &str) -> String {
    match (first, second) {
        ("", "") => String::new(),
        ("", name) | (name, "") => format!(r#" class="{name}""#),
        _ => format!(r#" class="{first} {second}""#),
    }
}

fn pairs(points: &[(f64, f64)]) -> String {
    let texts: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect();
    texts.join(" ")
}

impl Drawing {
    /// Creates an empty drawing. `width` and `height` are in pixels.
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, body: String::new() }
    }

    fn element(&mut self, text: &str) {
        self.body += text;
        self.body.push('\n');
    }

    /// Draws a straight line between two points, in pixels. `class` is a class of the style sheet.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(px);
        self.element(&format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// Draws a rectangle with its upper left corner at `at`. `size` is its width and height in
    /// pixels. `tip` is the tooltip, or empty for none.
    pub fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), tip: &str) {
        let [x, y, w, h] = [at.0, at.1, size.0.max(0.0), size.1.max(0.0)].map(px);
        let head = format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}""#);
        self.tipped(&head, "rect", tip);
    }

    /// Draws squares with their upper left corners at `corners`. `size` is their side in pixels,
    /// and `opacity` their fill opacity from 0 to 1.
    pub fn shade(&mut self, class: &str, corners: &[(f64, f64)], size: f64, opacity: f64) {
        let size = px(size);
        let square = |(x, y): &(f64, f64)| format!("M{} {}h{size}v{size}h-{size}z", px(*x), px(*y));
        let all: String = corners.iter().map(square).collect();
        if !all.is_empty() {
            self.element(&format!(r#"<path class="{class}" fill-opacity="{opacity:.2}" d="{all}"/>"#));
        }
    }

    /// Draws a line through the points. Nothing is drawn for fewer than two points.
    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        if points.len() > 1 {
            self.element(&format!(r#"<polyline class="{class}" points="{}"/>"#, pairs(points)));
        }
    }

    /// Draws a path from SVG path commands. Nothing is drawn for empty commands.
    pub fn path(&mut self, class: &str, commands: &str) {
        if !commands.is_empty() {
            self.element(&format!(r#"<path class="{class}" d="{commands}"/>"#));
        }
    }

    /// Draws a filled polygon. `tip` is the tooltip, or empty for none.
    pub fn polygon(&mut self, class: &str, points: &[(f64, f64)], tip: &str) {
        self.tipped(&format!(r#"<polygon class="{class}" points="{}""#, pairs(points)), "polygon", tip);
    }

    /// Draws a filled path that starts at `from`. `commands` are the SVG path commands after the
    /// start. `tip` is the tooltip, or empty for none.
    pub fn shape(&mut self, class: &str, from: (f64, f64), commands: &str, tip: &str) {
        let (x, y) = (px(from.0), px(from.1));
        self.tipped(&format!(r#"<path class="{class}" d="M{x} {y}{commands}""#), "path", tip);
    }

    /// Draws a disc with its centre at `at`. `radius` is in pixels. `tip` is the tooltip, or empty
    /// for none.
    pub fn circle(&mut self, class: &str, at: (f64, f64), radius: f64, tip: &str) {
        let [x, y, r] = [at.0, at.1, radius].map(px);
        self.tipped(&format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{r}""#), "circle", tip);
    }

    fn tipped(&mut self, head: &str, tag: &str, tip: &str) {
        if tip.is_empty() {
            self.element(&format!("{head}/>"));
        } else {
            // `silent` needs each element on a line of its own.
            let tip = escape(&tip.replace('\n', " "));
            self.element(&format!("{head}><title>{tip}</title></{tag}>"));
        }
    }

    /// Draws a text. The vertical middle of the text is at `at`. `anchor` selects the part of the
    /// text that is at the horizontal coordinate of `at`.
    pub fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => "m",
            Anchor::End => "e",
        };
        // Not every viewer can centre baselines. The offset is a third of the font size.
        let (x, y) = (px(at.0), px(at.1 + 4.0));
        let (class, text) = (class_attribute(class, anchor), escape(text));
        self.element(&format!(r#"<text{class} x="{x}" y="{y}">{text}</text>"#));
    }

    /// Draws a text that is rotated to read upwards, with its middle at `at`.
    pub fn upwards(&mut self, class: &str, at: (f64, f64), text: &str) {
        let (x, y) = (px(at.0 + 4.0), px(at.1));
        let (class, text) = (class_attribute(class, "m"), escape(text));
        self.element(&format!(r#"<text{class} transform="translate({x} {y}) rotate(-90)">{text}</text>"#));
    }

    /// Draws another drawing with its upper left corner at `at`.
    pub fn place(&mut self, at: (f64, f64), other: &Drawing) {
        let (x, y) = (px(at.0), px(at.1));
        self.element(&format!(r#"<g transform="translate({x} {y})">"#));
        self.body += &other.body;
        self.element("</g>");
    }

    /// Returns the drawing as an SVG element for a page that has the style sheet [`LIGHT`]. `title`
    /// is a label for screen readers.
    pub fn inline(&self, title: &str) -> String {
        let (w, h, title) = (px(self.width), px(self.height), escape(title));
        format!(
            "<svg viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"{title}\">\n{}</svg>",
            self.body
        )
    }

    /// Returns the drawing like [`inline`](Self::inline) but without tooltips. Use it for a page
    /// that also shows the numbers in tables.
    pub fn silent(&self, title: &str) -> String {
        // The element without its title is empty, so it becomes self-closing.
        let bare = |line: &str| match line.split_once("><title>") {
            Some((head, _)) => format!("{head}/>\n"),
            None => format!("{line}\n"),
        };
        Drawing { body: self.body.lines().map(bare).collect(), ..*self }.inline(title)
    }

    /// Returns the drawing as an SVG file with its own style sheet, a background and the title
    /// above the drawing.
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
    fn a_silent_picture_is_the_same_without_tips() {
        let (mut loud, mut still) = (Drawing::new(9.0, 9.0), Drawing::new(9.0, 9.0));
        for (drawing, tip) in [(&mut loud, "a < b > c"), (&mut still, "")] {
            drawing.circle("f1", (0.0, 0.0), 2.0, tip);
            drawing.text("", (1.0, 1.0), Anchor::End, "title>");
            drawing.shape("f2", (1.0, 2.0), "h1z", tip);
            drawing.line("axis", (0.0, 0.0), (1.0, 1.0));
        }
        assert_eq!(loud.silent("t"), still.silent("t"));
        assert_eq!(loud.silent("t").matches("<title>").count(), 0);
        assert_eq!(still.inline("t"), still.silent("t"));
    }

    #[test]
    fn coordinates_have_one_digit_at_most() {
        assert_eq!([12.34, 3.0, -0.01, 100.06].map(px), ["12.3", "3", "0", "100.1"]);
    }
}
