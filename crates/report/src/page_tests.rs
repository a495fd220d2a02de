//! Tests of the structure and legibility of the page.

use super::super::synthetic::study;
use super::*;
use crate::results::Scheme;
use catapult_judge::{Agent, Case, Design, judge};
use roxmltree::Node;

fn has_class(node: &Node, class: &str) -> bool {
    node.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
}

fn is(name: &'static str) -> impl Fn(&Node) -> bool {
    move |node| node.tag_name().name() == name
}

/// Returns the element with this id. Panics if there is none.
fn by_id<'a>(tree: &'a roxmltree::Document, id: &str) -> Node<'a, 'a> {
    tree.descendants().find(|node| node.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no {id}"))
}

fn text_of(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

#[test]
fn verdicts_stand_before_figures_and_all_else_is_folded() {
    let page = page(&study());
    let tree = tree(&page);
    let chapters: Vec<usize> =
        ["claims", "evidence", "games", "rest"].iter().map(|id| by_id(&tree, id).range().start).collect();
    assert!(chapters.is_sorted(), "{chapters:?}");
    let first_picture = tree.descendants().find(is("svg")).unwrap().range().start;
    assert!(first_picture > chapters[1] && first_picture < chapters[2]);
    let rest = by_id(&tree, "rest");
    let is_folded =
        |node: &Node| node.ancestors().any(|above| is("details")(&above) && !above.has_attribute("open"));
    for node in rest.descendants().filter(|node| ["figure", "table", "svg"].contains(&node.tag_name().name()))
    {
        assert!(is_folded(&node), "{:?}", node.attribute("id"));
    }
    // Each claim has one unfolded figure in its own article.
    let claims: Vec<Node> = by_id(&tree, "evidence").children().filter(is("article")).collect();
    assert_eq!(claims.len(), study().judgements.len());
    for claim in claims {
        let figures: Vec<Node> = claim.descendants().filter(is("figure")).collect();
        assert_eq!(figures.len(), 1);
        assert!(!is_folded(&figures[0]));
    }
}

/// Appends the text of a page to `out`, one line per block element. Drawings are left out.
fn write_words(node: Node, out: &mut String) {
    match node.tag_name().name() {
        "style" | "script" | "svg" => return,
        "h1" | "h2" | "h3" | "h4" | "p" | "li" | "tr" | "summary" | "figcaption" | "pre" | "div"
        | "section"
            if !out.ends_with('\n') =>
        {
            out.push('\n')
        }
        "td" | "th" | "dd" | "dt" => out.push_str(if out.ends_with('\n') { "" } else { " | " }),
        _ => {}
    }
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        out.push_str(&text.replace('\n', " "));
    }
    node.children().for_each(|child| write_words(child, out));
}

/// Compares the page's text, with the numbers in its tables, with the expected file `page.txt`.
/// `UPDATE_EXPECT=1 cargo test -p catapult-report` rewrites the expected file.
#[test]
fn the_page_reads_as_before() {
    let page = page(&study());
    let mut text = String::new();
    write_words(tree(&page).root_element(), &mut text);
    expect_test::expect_file!["page.txt"].assert_eq(&(text.trim_start().to_owned() + "\n"));
}

#[test]
fn headings_never_skip_a_level() {
    let text = page(&study());
    let tree = tree(&text);
    let levels: Vec<u32> = tree
        .descendants()
        .filter_map(|node| node.tag_name().name().strip_prefix('h')?.parse().ok())
        .collect();
    assert_eq!(levels[0], 1);
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1);
    for pair in levels.windows(2) {
        assert!(pair[1] <= pair[0] + 1, "h{} after h{}", pair[1], pair[0]);
    }
}

#[test]
fn a_verdict_stands_with_its_effect_and_what_was_found() {
    let page = page(&study());
    let tree = tree(&page);
    let table = by_id(&tree, "claims").descendants().find(is("table")).unwrap();
    let rows: Vec<String> = table.children().filter(is("tr")).map(text_of).collect();
    let paired = rows.iter().find(|row| row.contains("longer games with instant teleports")).unwrap();
    // The row has the result and the first gate that does not pass. The effect is the mean of the
    // levels.
    for part in [
        "? open",
        "+13.8",
        "[+5.15, +22.4] (96.9 %)",
        "mean of 32, 64 and 128",
        "is 13.8 higher than in chess [5.15, 22.4] (96.9 %), in 7 of 8 networks.",
        "With twice the control's simulations (256 against 128) it is −4.00 [−16.0, +8.00], not the same sign.",
    ] {
        assert!(paired.contains(part), "{part}: {paired}");
    }
    assert!(rows.iter().any(|row| row.contains("fewer draws") && row.contains("✓ supported")));
}

#[test]
fn registration_looks_and_unused_rules_are_told_at_the_top() {
    let page = page(&study());
    let tree = tree(&page);
    let said = text_of(by_id(&tree, "claims"));
    for part in [
        "4 claims, in the file 1f0c5a7c1f0c\u{2026}",
        "looked at twice",
        "the scatter between seeds alone once",
        "significance level of this look is 0.03",
        "changed since: games.per_level (was 200, is 400)",
        "chesspp+promote: +promote: 0 promotions to a catapult in 450 games",
    ] {
        assert!(said.contains(part), "{part}");
    }
}

#[test]
fn an_arm_that_was_a_placebo_says_nothing() {
    let mut results = study();
    let mut gate = results.judgements[3].gates[0].clone();
    gate.kind = crate::results::GateKind::Used { rule: "+promote".to_owned() };
    results.judgements[3].gates.insert(0, gate);
    let page = page(&results);
    let said = text_of(by_id(&tree(&page), "claims"));
    assert!(said.contains("No game used +promote, so nothing can be said about it."), "{said}");
}

#[test]
fn gates_are_a_list_of_ticks() {
    let page = page(&study());
    let tree = tree(&page);
    let gates: Vec<Node> = tree
        .descendants()
        .find(|node| has_class(node, "gates"))
        .unwrap()
        .children()
        .filter(is("li"))
        .collect();
    let classes: Vec<&str> = gates.iter().filter_map(|gate| gate.attribute("class")).collect();
    assert_eq!(classes, ["passed", "passed", "missed", "untold"]);
}

#[test]
fn a_paired_claim_shows_each_network_and_an_unpaired_one_both_sides() {
    let page = page(&study());
    let tree = tree(&page);
    let figure = |claim: &str| {
        let articles = tree.descendants().filter(is("article"));
        let article = articles.into_iter().find(|node| text_of(*node).starts_with(claim)).unwrap();
        article.descendants().find(is("svg")).unwrap()
    };
    let paired = figure("Longer games with instant teleports");
    assert_eq!(paired.descendants().filter(is("circle")).count(), 8);
    let said = text_of(paired);
    for part in ["network 8", "mean", "Each level", "256 against 128", "64 against 128"] {
        assert!(said.contains(part), "{part}");
    }
    // Faint discs are three networks per side at four levels.
    let unpaired = figure("Fewer draws");
    let faint = unpaired.descendants().filter(|node| has_class(node, "faint")).count();
    assert_eq!(faint, 2 * 3 * 4);
    assert!(text_of(unpaired).contains("equal strength"));
    for figure in [paired, unpaired] {
        assert!(figure.descendants().any(|node| has_class(&node, "band")));
    }
}

#[test]
fn games_are_clicked_through_by_buttons_that_keys_reach() {
    let page = page(&study());
    let tree = tree(&page);
    let games: Vec<Node> = tree.descendants().filter(|node| has_class(node, "game")).collect();
    assert_eq!(games.len(), study().examples.len());
    assert!(games.len() >= 3);
    for game in games {
        let steps = game.children().find(|node| has_class(node, "steps")).unwrap();
        let buttons: Vec<Node> = steps.children().filter(is("input")).collect();
        assert!(buttons.iter().all(|button| button.attribute("type") == Some("radio")));
        assert_eq!(buttons.iter().filter(|button| button.has_attribute("checked")).count(), 1);
        let frames = steps.children().find(|node| has_class(node, "frames")).unwrap();
        let boards = frames.children().filter(Node::is_element).count();
        assert_eq!(boards, buttons.len());
        // The style sheet has rules for this many boards.
        assert!(boards <= crate::games::MOST);
        assert!(page.contains(&format!("input:nth-of-type({boards}):checked~.frames>:nth-child({boards})")));
        let graph = steps.children().find(|node| has_class(node, "graph")).unwrap();
        assert_eq!(graph.descendants().filter(is("circle")).count(), boards);
    }
}

#[test]
fn pictures_are_named_for_who_does_not_see_them() {
    let page = page(&study());
    for svg in tree(&page).descendants().filter(is("svg")) {
        assert!(
            svg.attribute("aria-label").is_some_and(|name| !name.is_empty())
                || svg.attribute("aria-hidden") == Some("true")
        );
    }
}

#[test]
fn no_letter_is_below_twelve_pixels() {
    let page = page(&study());
    let sheet = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let screen = sheet.split("@media print").next().unwrap();
    let mut sizes = 0;
    for rule in screen.split('}') {
        // Pieces have units of a tenth of a square, which is more than two pixels.
        if rule.contains(".pc{") || rule.contains(".lt{") {
            continue;
        }
        for (unit, pixels) in [("px", 1.0), ("rem", 16.0)] {
            for declared in rule.split(';').filter(|part| part.contains("font")) {
                let number = declared.split(unit).next().unwrap();
                let digits = number.rsplit(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap();
                if declared.contains(unit) && !digits.is_empty() {
                    assert!(digits.parse::<f64>().unwrap() * pixels >= 12.0, "{declared}");
                    sizes += 1;
                }
            }
        }
    }
    assert!(sizes >= 8, "{sizes}");
    // Figures keep their size, so their letters stay legible.
    assert!(!sheet.contains("svg{max-width"));
}

#[test]
fn a_published_study_is_read_and_its_page_stays_small() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/chesspp");
    let published = read(&dir).unwrap();
    // The published study has 12 networks, 27 endpoints and 19 example games.
    for (results, most) in [(published, 2_000_000), (study(), 1_000_000)] {
        let size = page(&results).len();
        assert!(size < most, "{}: {size} bytes", results.name);
    }
}

#[test]
fn strength_is_told_of_other_opponents_than_oneself_at_the_strongest_level_where_there_are_any() {
    let mut results = study();
    results.strengths.retain(|strength| strength.simulations <= 64);
    let mut more = results.strengths[0].clone();
    for arm in ["chess", "chesspp+instant"] {
        more.arm = arm.parse().unwrap();
        more.network.agent = "all-proposals".to_owned();
        (more.simulations, more.opponent) = (128, "x4".to_owned());
        results.strengths.push(more.clone());
    }
    let page = page(&results);
    let tree = tree(&page);
    let lines: Vec<String> = tree.descendants().filter(is("p")).map(text_of).collect();
    let told: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("Strength of the players at ")).collect();
    assert!(!told.is_empty());
    for line in told {
        assert!(
            line.starts_with("Strength of the players at 64 simulations per move")
                && !line.contains("itself"),
            "{line}"
        );
    }
}

/// The published study, judged again from the values of its networks, must give the published
/// judgements.
#[test]
fn published_verdicts_follow_from_published_measures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/chesspp");
    let published = read(&dir).unwrap();
    let player = Agent { name: "rules".to_owned(), arms: published.arms.clone(), seeds: 12 };
    let design = Design {
        control: Some(published.arms[0]),
        levels: vec![32, 64, 128],
        early: 32,
        agents: vec![player],
        reference_opponents: Vec::new(),
    };
    let endpoints: Vec<_> = published.judgements.iter().map(|judgement| judgement.endpoint.clone()).collect();
    let case = Case {
        design: &design,
        measures: &published.measures,
        strengths: &published.strengths,
        placebos: &published.placebos,
        alpha: published.registration.alpha,
        scheme: Scheme::Registered,
        withheld: None,
    };
    let judged = judge(&endpoints, &case);
    assert_eq!(judged, published.judgements);
}
