//! Checks the examples of a rules page with the engine.

use super::Report;

/// Returns the paragraphs of a rules page, in order.
pub(crate) fn paragraphs(reference: &str) -> Vec<String> {
    reference.split("\n\n").map(|part| part.to_owned()).collect()
}

/// Returns the paragraphs of a rules page that are examples. An example is a position with claims
/// about its check, moves and outcome.
pub(crate) fn examples(reference: &str) -> Vec<String> {
    let all = paragraphs(reference);
    all.into_iter().filter(|paragraph| paragraph.starts_with("Position `")).collect()
}

/// Returns the paragraphs of a rules page that are drawn boards.
pub(crate) fn boards(reference: &str) -> Vec<String> {
    let all = paragraphs(reference);
    all.into_iter().filter(|paragraph| paragraph.starts_with("```text")).collect()
}

/// Returns pairs for all texts between backticks: the words before the text, then the text.
pub(crate) fn quoted(text: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = text.split('`').collect();
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.chunks_exact(2).map(|pair| (words(pair[0]), pair[1].to_owned())).collect()
}

/// Checks each example of a rules page. `ask` takes a variant and a FEN and queries the engine.
/// Returns the number of examples and the number of their claims.
pub(crate) fn check_examples(reference: &str, ask: impl Fn(&str, &str) -> Report) -> (usize, usize) {
    let (mut found, mut claims) = (0, 0);
    for paragraph in examples(reference) {
        found += 1;
        let quotes = quoted(&paragraph);
        let (fen, variant) = (&quotes[0].1, &quotes[1].1);
        let report = ask(variant, fen);
        let prose: String = paragraph.split('`').step_by(2).collect();
        let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
        if prose.contains("in check") {
            assert_eq!(report.check, !prose.contains("not in check"), "{paragraph}");
            claims += 1;
        }
        // `legal` and `not legal` hold until other words follow. A move that `gives` a FEN is the
        // one quoted before.
        let mut legal = None;
        for (n, (words, quote)) in quotes.iter().enumerate().skip(2) {
            if words.ends_with("gives") {
                assert_eq!(report.after(&quotes[n - 1].1), quote, "{paragraph}");
            } else if words.ends_with("outcome") {
                assert_eq!(report.outcome.map(|outcome| outcome.name()), Some(quote.as_str()), "{paragraph}");
            } else {
                match words.as_str() {
                    "," => {}
                    words if words.ends_with("not legal") => legal = Some(false),
                    words if words.ends_with("legal") => legal = Some(true),
                    _ => legal = None,
                }
                let Some(legal) = legal else { continue };
                assert_eq!(report.has(quote), legal, "{quote}: {paragraph}");
            }
            claims += 1;
        }
    }
    (found, claims)
}

/// Returns variant and FEN of each list item of a rules page that shows an invalid FEN. Only
/// variants whose names begin with `variants` are included.
pub(crate) fn refusals(reference: &str, variants: &str) -> Vec<(String, String)> {
    let lines =
        reference.lines().filter(|line| line.starts_with("* ") && line.contains(&format!(": `{variants}")));
    lines
        .map(|line| match quoted(line).as_slice() {
            [.., (_, variant), (_, fen)] => (variant.clone(), fen.clone()),
            _ => panic!("{line}"),
        })
        .collect()
}
