#pragma once
// Style and script of the class's page. They are in the page itself, so that a single file can be sent.

#include <string_view>

namespace grader {

inline constexpr std::string_view page_style = R"(
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #fff; --ink: #1d2430; --faint: #6b7280; --line: #e3e1dc;
  --good: #007a55; --bad: #b3261e; --middling: #9a6200; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --card: #1c2027; --ink: #e6e8ec; --faint: #9aa2ae;
  --line: #2d333d; --good: #4fc79a; --bad: #ff8a80; --middling: #e8b04a; --accent: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.5rem; }
h1 { font-size: 1.6rem; letter-spacing: -.01em; margin: 0 0 1.25rem; }
h4 { margin: .9rem 0 .2rem; font-size: .95rem; color: var(--bad); }
h4 small { font-weight: 400; color: var(--faint); }
.tiles { display: flex; flex-wrap: wrap; gap: 1rem; align-items: stretch; margin-bottom: 1.5rem; }
.tile, .spread { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .7rem 1.1rem; }
.tile b { display: block; font-size: 1.7rem; font-variant-numeric: tabular-nums; line-height: 1.2; }
.tile span, .spread text { color: var(--faint); font-size: .85rem; }
.spread { width: 15rem; } .spread rect { fill: var(--accent); } .spread text { fill: var(--faint); font-size: 11px; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: .45rem .7rem; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid var(--line); font-weight: 600; position: sticky; top: 0; background: var(--card); }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; }
tbody { border-bottom: 1px solid var(--line); }
tr.row { cursor: pointer; } tr.row:hover { background: color-mix(in srgb, var(--accent) 7%, transparent); }
td { overflow-wrap: break-word; } .name, .more > td { overflow-wrap: anywhere; } .name { min-width: 11rem; }
.result { white-space: nowrap; }
.open { font: inherit; font-weight: 600; color: var(--ink); background: none; border: 0; padding: 0; cursor: pointer;
  text-align: left; }
.open::before { content: "▾ "; color: var(--faint); } .open[aria-expanded=false]::before { content: "▸ "; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.passed { color: var(--good); } .failed { color: var(--bad); } .partly { color: var(--middling); }
.not_run, .faint, footer { color: var(--faint); } .faint, footer { font-size: .85rem; } footer { margin-top: 1.5rem; }
.more > td { padding: .2rem 1.2rem 1.2rem; border-top: 1px dashed var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; } dd { margin: 0; color: var(--faint); }
.mishap p { margin: .1rem 0; max-width: 60rem; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; overflow: auto;
  max-height: 24rem; font: 13px/1.45 "JetBrains Mono", ui-monospace, monospace; }
code { font: 13px "JetBrains Mono", ui-monospace, monospace; }
.warning { border: 1px solid var(--bad); color: var(--bad); border-radius: 8px; padding: .5rem .9rem; font-weight: 600; }
@media print { .more[hidden] { display: table-row !important; } th { position: static; } }
)";

// Rows are open until the script closes them: without it nothing is hidden.
inline constexpr std::string_view page_script = R"(
const table = document.querySelector('table');
const show = (body, open) => {
  body.querySelector('.more').hidden = !open;
  body.querySelector('.open').setAttribute('aria-expanded', open);
};
for (const body of table.tBodies) {
  show(body, false);
  body.querySelector('.row').addEventListener('click', () => show(body, body.querySelector('.more').hidden));
}
const value = (body, column) => {
  const text = body.rows[0].cells[column].dataset.v, number = Number(text);
  return text !== '' && !Number.isNaN(number) ? number : text;
};
const order = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b
  : String(a).localeCompare(String(b), undefined, {numeric: true});
[...table.tHead.rows[0].cells].forEach((head, column) => head.addEventListener('click', () => {
  const number = head.classList.contains('number'), now = head.getAttribute('aria-sort');
  const ascending = now ? now === 'descending' : !number;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
  const bodies = [...table.tBodies];
  bodies.sort((a, b) => (ascending ? 1 : -1) * order(value(a, column), value(b, column)));
  table.append(...bodies);
}));
)";

}  // namespace grader
