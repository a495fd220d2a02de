//! Style sheets of pages, for light and dark screens and for paper.

use crate::games::MOST;
use catapult_figures::svg::{DARK, LIGHT};

const PAGE: &str = "\
:root{color-scheme:light dark;--ink:#222;--dim:#5c5c5c;--paper:#fff;--line:#ddd;--pale:#f4f5f7;--good:#00694c;--bad:#a33c00;--open:#555;--link:#00578a}
body{margin:0 auto;max-width:980px;padding:1.5rem 1.2rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:.3rem 0}h2{margin:2.6rem 0 .4rem;font-size:1.35rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{margin:1.6rem 0 .3rem;font-size:1.06rem}p{margin:.5rem 0}a{color:var(--link)}.lead{color:var(--dim)}
nav{font-size:.92rem;margin:1rem 0}nav a{margin-right:.8rem;white-space:nowrap}.box h3,.claim h3{margin-top:.4rem}
.box{background:var(--pale);border-left:4px solid var(--line);padding:.5rem 1rem;margin:1rem 0}.warn{border-left-color:#d55e00}
.claim{border:1px solid var(--line);border-left-width:5px;border-radius:4px;padding:.3rem 1rem .7rem;margin:1rem 0}
.supported{border-left-color:var(--good)}.contradicted{border-left-color:var(--bad)}.equivalent{border-left-color:var(--link)}
.badge.equivalent{color:var(--link)}
.badge{white-space:nowrap;font-weight:600}.badge.supported{color:var(--good)}.badge.contradicted{color:var(--bad)}.badge.open{color:var(--open)}
h4{margin:1.2rem 0 .3rem;font-size:1rem}figure{margin:1.2rem 0}figcaption{font-size:.88rem;color:var(--dim);max-width:52rem}svg{display:block}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(21rem,1fr));gap:0 1.2rem}.columns figure{min-width:0}
.scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-size:.86rem;margin:.5rem 0}
th,td{padding:.18rem .55rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th:first-child,td:first-child,.left{text-align:left}td.words{white-space:normal;text-align:left}td small{color:var(--dim);display:block;font-size:12px}td.inner{padding-left:1.6rem}th.head{white-space:normal;min-width:4.2rem;vertical-align:bottom}th[colspan]{text-align:center}th[colspan]:first-child{text-align:left;padding-top:.7rem}
details{margin:.4rem 0}summary{cursor:pointer}code,.hash{font:13px ui-monospace,Consolas,monospace;overflow-wrap:anywhere;white-space:normal}
.small{font-size:.88rem}.dim{color:var(--dim)}:focus-visible{outline:2px solid var(--link);outline-offset:2px}
table.verdicts td{vertical-align:top;padding:.4rem .6rem}table.verdicts td.words{min-width:13rem}table.verdicts td:last-child{min-width:17rem}
@media(min-width:900px){.claim figure{display:grid;grid-template-columns:max-content minmax(12rem,1fr);gap:1.4rem;align-items:start}.claim figcaption{padding-top:2rem}}
.gates{list-style:none;padding:0;margin:.5rem 0}.gates li{padding:.12rem 0 .12rem 1.7rem;text-indent:-1.7rem}.gates .sign{display:inline-block;width:1.7rem;text-indent:.2rem;font-weight:700}
.passed .sign{color:var(--good)}.missed .sign{color:var(--bad)}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.chapter{border-bottom:1px solid var(--line);margin:0}.chapter>summary{padding:.5rem 0}.chapter>summary h3{display:inline;margin:0 .7rem 0 0}.chapter>div{padding:0 0 1.5rem}
";

/// Style of example games. The moves are next to the board, or below it on a narrow page.
const GAMES: &str = "\
.symbols{position:absolute}.game{border-top:1px solid var(--line);padding-top:.2rem;margin:1.2rem 0}.game h3{margin-top:.8rem}
.steps{display:grid;grid-template-columns:max-content minmax(8rem,14rem);gap:0 1.4rem;align-items:center;margin:.6rem 0}
.steps>input{position:absolute;opacity:0;pointer-events:none}.steps>label{grid-column:2;padding:.1rem .6rem;border-radius:4px;cursor:pointer;font-variant-numeric:tabular-nums}
.steps>label:hover{background:var(--pale)}.steps>label.told{font-weight:600}.steps>input:checked+label{background:var(--link);color:var(--paper)}.steps>input:focus-visible+label{outline:2px solid var(--ink);outline-offset:1px}
.frames{grid-column:1;grid-row:1/span 14}.frames>div{display:none}.graph{grid-column:1;overflow-x:auto}
.turn{display:flex;justify-content:space-between;margin:.4rem 0;font-size:.92rem}.turn>*{min-width:4.5rem}.turn>:nth-child(2){text-align:center}.turn>:last-child{text-align:right}.turn label{cursor:pointer;color:var(--link)}
.moves{font-size:.92rem;line-height:1.7}.moves label{cursor:pointer;color:var(--link)}
.at{display:none;stroke:var(--paper);stroke-width:1.5}
.lq{fill:#efe6d0}.dq{fill:#c9b48c}.ch{fill:#f6c945;fill-opacity:.55}.co{fill:var(--dim);text-anchor:middle}
.pc{font:9.2px 'DejaVu Sans','Segoe UI Symbol','Apple Symbols','Noto Sans Symbols2','Noto Sans Symbols',sans-serif;text-anchor:middle;paint-order:stroke;stroke-linejoin:round}
.wp{fill:#fff;stroke:#111;stroke-width:.9}.bp{fill:#111;stroke:#fff;stroke-width:.35}.lt{font:600 6px system-ui,sans-serif;text-anchor:middle}.bl{fill:#111}.wl{fill:#fff}
.fr{fill:none;stroke-width:1.1}.fw{stroke:#0072b2}.fb{stroke:#c24a00}.fresh{stroke-dasharray:1.6 1.1}
.ar{fill:none;stroke:#6a2c91;stroke-width:1.1;stroke-linecap:round}.tp{stroke-dasharray:2.2 1.8}.ah{fill:#6a2c91}
@media(max-width:640px){body{padding:1rem .8rem 3rem}.claim{padding:.3rem .7rem .7rem}.verdicts,.verdicts tbody,.verdicts tr,.verdicts td{display:block}.verdicts tr:first-child{display:none}.verdicts tr{border-bottom:1px solid var(--line);padding:.5rem 0}table.verdicts td,table.verdicts td.words{border:0;padding:.1rem 0;text-align:left;white-space:normal;min-width:0}.verdicts small{display:inline}.verdicts td:first-child small{display:block}.steps{display:flex;flex-wrap:wrap;gap:.2rem}.frames{order:-2;width:100%;overflow-x:auto}.graph{order:-1;width:100%}.steps>label{padding:.35rem .6rem;background:var(--pale)}}
";

/// Returns the style rules for the boards of a game. The n-th radio button shows the n-th board and
/// its mark on the graph.
fn boards() -> String {
    let rule = |n: usize| {
        format!(
            ".steps>input:nth-of-type({n}):checked~.frames>:nth-child({n}),.steps>input:nth-of-type({n}):checked~.graph circle:nth-of-type({n})"
        )
    };
    let all: Vec<String> = (1..=MOST).map(rule).collect();
    all.join(",") + "{display:block}\n"
}

const PAGE_DARK: &str = "\
:root{--ink:#e4e4e4;--dim:#a6a9ae;--paper:#16181c;--line:#3a3e45;--pale:#20242a;--good:#35c79a;--bad:#ff9257;--open:#b5b5b5;--link:#7cc4f5}
";

const PRINT: &str = "\
body{max-width:none;padding:0;font-size:10.5pt;background:#fff}nav{display:none}h2{break-after:avoid}
figure,.claim,tr{break-inside:avoid}a{color:inherit;text-decoration:none}.scroll{overflow:visible}table{font-size:9pt}
details::details-content{content-visibility:visible;height:auto}
";

/// Returns the style sheet of a page. Dark colours apply to screens only.
pub(super) fn sheet() -> String {
    format!(
        "{PAGE}{LIGHT}{GAMES}{}@media screen and (prefers-color-scheme:dark){{{PAGE_DARK}{DARK}}}\n@media print{{{PRINT}}}\n",
        boards()
    )
}
