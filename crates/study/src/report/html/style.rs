//! How pages look: on screen, in the dark, on paper.

use crate::report::svg::{DARK, LIGHT};

const PAGE: &str = "\
:root{color-scheme:light dark;--ink:#222;--dim:#5c5c5c;--paper:#fff;--line:#ddd;--pale:#f4f5f7;--good:#00694c;--bad:#a33c00;--open:#555;--link:#00578a}
body{margin:0 auto;max-width:980px;padding:1.5rem 1.2rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:.3rem 0}h2{margin:2.6rem 0 .4rem;font-size:1.35rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{margin:1.6rem 0 .3rem;font-size:1.06rem}p{margin:.5rem 0}a{color:var(--link)}.lead{color:var(--dim)}
nav{font-size:.92rem;margin:1rem 0}nav a{margin-right:.8rem;white-space:nowrap}.box h3,.claim h3{margin-top:.4rem}
.box{background:var(--pale);border-left:4px solid var(--line);padding:.5rem 1rem;margin:1rem 0}.warn{border-left-color:#d55e00}
.claim{border:1px solid var(--line);border-left-width:5px;border-radius:4px;padding:.3rem 1rem .7rem;margin:1rem 0}
.supported{border-left-color:var(--good)}.contradicted{border-left-color:var(--bad)}
.badge{white-space:nowrap;font-weight:600}.badge.supported{color:var(--good)}.badge.contradicted{color:var(--bad)}.badge.open{color:var(--open)}
figure{margin:1.2rem 0}figcaption{font-size:.88rem;color:var(--dim);max-width:52rem}svg{max-width:100%;height:auto;display:block}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(21rem,1fr));gap:0 1.2rem}.columns figure{min-width:0}
.scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-size:.86rem;margin:.5rem 0}
th,td{padding:.18rem .55rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th:first-child,td:first-child,.left{text-align:left}td.words{white-space:normal;text-align:left}td small{color:var(--dim);display:block}td.inner{padding-left:1.6rem}th.head{white-space:normal;min-width:4.2rem;vertical-align:bottom}th[colspan]{text-align:center}th[colspan]:first-child{text-align:left;padding-top:.7rem}
details{margin:.4rem 0}summary{cursor:pointer}code,.hash{font:13px ui-monospace,Consolas,monospace;overflow-wrap:anywhere;white-space:normal}
.small{font-size:.88rem}.dim{color:var(--dim)}
";

const PAGE_DARK: &str = "\
:root{--ink:#e4e4e4;--dim:#a6a9ae;--paper:#16181c;--line:#3a3e45;--pale:#20242a;--good:#35c79a;--bad:#ff9257;--open:#b5b5b5;--link:#7cc4f5}
";

const PRINT: &str = "\
body{max-width:none;padding:0;font-size:10.5pt;background:#fff}nav{display:none}h2{break-after:avoid}
figure,.claim,tr{break-inside:avoid}a{color:inherit;text-decoration:none}.scroll{overflow:visible}table{font-size:8pt}
details::details-content{content-visibility:visible;height:auto}
";

/// The whole style sheet. Dark colours are for screens: paper is white.
pub fn sheet() -> String {
    format!(
        "{PAGE}{LIGHT}@media screen and (prefers-color-scheme:dark){{{PAGE_DARK}{DARK}}}\n@media print{{{PRINT}}}\n"
    )
}
