"""The style sheet of the page: light and dark, on paper, on a telephone."""

STYLE = """
:root {
  color-scheme: light dark;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --page: #f4f5f8; --card: #ffffff; --ink: #1c2128; --soft: #59636e; --line: #d8dee6; --track: #e6e9ee;
  --shade-0: #c9d1db; --shade-1: #dde2e9; --accent: #2563c9; --accent-soft: #e4edfc;
  --pass: #18773a; --pass-soft: #dff5e5; --borderline: #8f5b00; --borderline-soft: #fdf0cf;
  --fail: #c2242f; --fail-soft: #fde4e4; --error: #7b3fc0; --error-soft: #f0e6fc;
  --none: #59636e; --none-soft: #e8ebef; --on-fill: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1015; --card: #161b22; --ink: #e6ebf1; --soft: #9ba6b3; --line: #2b323c; --track: #29303a;
    --shade-0: #3b4552; --shade-1: #2c343f; --accent: #6ea8fe; --accent-soft: #16263f;
    --pass: #4cc46c; --pass-soft: #12311c; --borderline: #e0a83a; --borderline-soft: #37290c;
    --fail: #ff7b78; --fail-soft: #3f1a1c; --error: #c29bff; --error-soft: #2c1f42;
    --none: #9ba6b3; --none-soft: #262c35; --on-fill: #0d1015;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 68rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 var(--sans);
}
h1, h2, h3, h4, h5, p, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 0.75rem; }
h3 { font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
h4 { font-size: 1rem; overflow-wrap: anywhere; }
h5 { font: 600 0.9rem/1.4 var(--mono); overflow-wrap: anywhere; }
ul { list-style: none; }
table { width: 100%; border-collapse: collapse; }
th { text-align: start; font-weight: 500; }
.soft { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow: auto; }
.facts { display: flex; flex-wrap: wrap; gap: 0 0.9rem; color: var(--soft); font-size: 0.8125rem; }
.facts > * { overflow-wrap: anywhere; }

.badge {
  display: inline-flex; align-items: center; gap: 0.35em; padding: 0.1rem 0.6rem 0.1rem 0.45rem; border-radius: 1rem;
  font-size: 0.8125rem; font-weight: 600; white-space: nowrap; color: var(--none); background: var(--none-soft);
}
.badge .sign { width: 1em; text-align: center; font-weight: 700; }
.badge.pass { color: var(--pass); background: var(--pass-soft); }
.badge.borderline { color: var(--borderline); background: var(--borderline-soft); }
.badge.fail { color: var(--fail); background: var(--fail-soft); }
.badge.error { color: var(--error); background: var(--error-soft); }
.chip {
  display: inline-block; padding: 0.05rem 0.5rem; border: 1px solid var(--line); border-radius: 0.4rem;
  color: var(--soft); font-size: 0.8125rem; overflow-wrap: anywhere;
}
.chip.bad, .chip.gate-failed { color: var(--fail); border-color: currentColor; }
.chip.gate-passed { color: var(--pass); }
.callout { padding: 0.5rem 0.8rem; border-radius: 0.5rem; background: var(--none-soft); }
.callout.error { background: var(--error-soft); }
.callout.borderline { background: var(--borderline-soft); }

.chart { display: block; width: 100%; overflow: visible; }
.chart text { font: 11px var(--sans); fill: var(--soft); text-anchor: middle; }
.chart text.start { text-anchor: start; }
.chart text.end { text-anchor: end; }
.chart .chosen { font-weight: 700; fill: var(--ink); }
.chart .pin { fill: var(--on-fill); font-weight: 700; }
.fill { fill: var(--none); }
.fill.pass { fill: var(--pass); }
.fill.borderline { fill: var(--borderline); }
.fill.fail { fill: var(--fail); }
.fill.error { fill: var(--error); }
.fill.accent { fill: var(--accent); }
.track { fill: var(--track); }
.rail { stroke: var(--line); }
.mark { stroke: var(--soft); stroke-dasharray: 2 2; }
.gate { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 3 2; }
.mean { stroke: var(--ink); stroke-width: 2; }
.spread { fill: var(--soft); opacity: 0.6; }
.band { stroke: var(--card); stroke-width: 2; }
.shade-0 { fill: var(--shade-0); }
.shade-1 { fill: var(--shade-1); }
.line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.dot { fill: var(--accent); }
.dot.shown { fill: var(--card); stroke: var(--accent); stroke-width: 2.5; }
.counts { height: 0.85rem; border-radius: 0.45rem; background: var(--track); overflow: hidden; }
.counts .fill { stroke: var(--card); stroke-width: 2; }
.score, .contribution, .dimension, .step { height: 16px; }
.ruler { height: 52px; }
.histogram { height: 168px; }
.column { stroke: var(--card); stroke-width: 2; }
.panel { height: auto; }

body > header { margin-bottom: 1.25rem; overflow-wrap: anywhere; }
.overview { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 1rem; }
.overview > .card { padding: 1.25rem; }
.headline { font-size: 1.25rem; margin-bottom: 0.75rem; }
.headline b { font-size: 2.25rem; line-height: 1; letter-spacing: -0.02em; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 0.75rem 0 1rem; }
.legend li { display: flex; gap: 0.4rem; align-items: center; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; }
.tile dt { color: var(--soft); font-size: 0.8125rem; }
.tile dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.spread-of-scores figcaption { color: var(--soft); font-size: 0.8125rem; margin-bottom: 0.75rem; }

.filters { border: 0; margin: 0 0 0.75rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
.filters label { position: relative; cursor: pointer; }
.filters input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.filters span {
  display: block; padding: 0.2rem 0.8rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card);
  font-size: 0.875rem;
}
.filters input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--page); }
.filters input:focus-visible + span, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
body:has(#show-pass:checked) .case:not(.state-pass),
body:has(#show-borderline:checked) .case:not(.state-borderline),
body:has(#show-fail:checked) .case:not(.state-fail),
body:has(#show-error:checked) .case:not(.state-error),
body:has(#show-partial:checked) .case:not(.state-partial),
body:has(#show-no-verdict:checked) .case:not(.state-no-verdict) { display: none; }

.cases { display: grid; gap: 0.5rem; }
.case > summary {
  display: grid; grid-template-columns: 7.5rem minmax(8rem, 1fr) 18rem 12rem; align-items: center; gap: 0.25rem 0.9rem;
  padding: 0.65rem 1rem; cursor: pointer; list-style: none; border-radius: inherit;
}
.case > summary::-webkit-details-marker { display: none; }
.case > summary:hover { background: var(--accent-soft); }
.case[open] > summary { border-bottom: 1px solid var(--line); border-radius: 0.75rem 0.75rem 0 0; }
.case > summary > .badge { justify-self: start; }
.score-cell { display: grid; grid-template-columns: 1fr 9.5rem; gap: 0.6rem; align-items: center; }
.score-cell .number { font-size: 0.875rem; }
.remarks { display: flex; flex-wrap: wrap; gap: 0.3rem; justify-content: end; }
.inside { padding: 1rem; display: grid; gap: 1rem; }
.inside > * { min-width: 0; }
.inside summary { cursor: pointer; font-size: 0.875rem; color: var(--soft); }
pre {
  font: 0.85rem/1.5 var(--mono); background: var(--page);
  border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem; margin-top: 0.4rem;
}
.evaluator { border-top: 1px solid var(--line); padding-top: 1rem; display: grid; gap: 0.75rem; }
.evaluator > header, .head { display: flex; flex-wrap: wrap; gap: 0.3rem 0.6rem; align-items: center; }
.criteria { display: grid; gap: 0.75rem; }
.criterion { display: grid; gap: 0.45rem; border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.75rem 1rem; }
.judged { font-weight: 700; font-size: 0.9rem; }
.judged.pass { color: var(--pass); }
.judged.borderline { color: var(--borderline); }
.judged.fail { color: var(--fail); }
.bars { display: grid; gap: 0.35rem; max-width: 34rem; }
.earned { display: grid; grid-template-columns: 1fr 9.5rem; gap: 0.6rem; align-items: center; }
.earned .number { font-size: 0.8125rem; color: var(--soft); }
.ruler-box { padding-inline-end: 10.1rem; }
.reasoning { color: var(--soft); font-size: 0.9375rem; }
.bands ul { margin-top: 0.3rem; font-size: 0.875rem; color: var(--soft); display: grid; gap: 0.15rem; }
.bands .chosen { color: var(--ink); font-weight: 600; }
.bands b { display: inline-block; min-width: 3.2rem; font-variant-numeric: tabular-nums; }
.found li::before { content: "✓ "; color: var(--pass); font-weight: 700; }
.found .miss::before { content: "✕ "; color: var(--fail); }

.graded { display: grid; gap: 0.6rem; }
.graded > h5 { font: inherit; font-weight: 600; margin-top: 0.6rem; }
.grade { display: flex; align-items: baseline; gap: 0.9rem; }
.letter { font-size: 2.5rem; line-height: 1; letter-spacing: -0.02em; }
.final b { font-size: 1.25rem; }
.rows li {
  display: grid; grid-template-columns: 11rem 3.2rem 14rem 3rem minmax(0, 1fr); gap: 0 0.9rem; align-items: start;
  padding: 0.35rem 0; border-top: 1px solid var(--line);
}
.rows li > .chart { margin-top: 0.25rem; }
.rows li > .step { grid-column: span 2; }
.rows .number { text-align: end; }
.rows b { font-weight: 600; }
.rows .label { overflow-wrap: anywhere; }
.rows .chip { margin-inline-start: 0.4rem; }
.legend-of-bars { color: var(--soft); font-size: 0.8125rem; }
.step-total .label, .step-total .number { font-weight: 700; }
.step-deduction .number { color: var(--fail); }
.step-bonus .number { color: var(--pass); }
.step-cap .label { color: var(--soft); font-style: italic; }

.skill { padding: 1rem; margin-bottom: 0.75rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.25rem; margin-top: 1rem; }
.past { margin: 1rem 0 0; max-width: 20rem; }
.past figcaption { font-size: 0.875rem; color: var(--soft); }
.panels figcaption { display: flex; justify-content: space-between; font-size: 0.875rem; }

@media (max-width: 46rem) {
  body { padding: 1.25rem 0.75rem 3rem; }
  .case > summary { grid-template-columns: auto 1fr; }
  .score-cell, .remarks { grid-column: 1 / -1; }
  .remarks { justify-content: start; }
  .ruler-box { padding-inline-end: 0; }
  .earned, .score-cell { grid-template-columns: minmax(4rem, 1fr) auto; }
  .rows li { grid-template-columns: minmax(6rem, 1fr) 3.2rem minmax(5rem, 8rem) 3rem; }
  .rows .reasoning { grid-column: 1 / -1; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; background: none; }
  h2 { break-after: avoid; }
  .filters { display: none; }
  /* Grids that are cut by the end of a sheet overlap in some browsers. */
  .cases, .inside, .evaluator, .criteria, .criterion, .graded { display: block; }
  .inside > *, .evaluator > *, .criteria > *, .criterion > *, .graded > *, .case { margin-bottom: 0.5rem; }
  .card, .criterion, .rows li { break-inside: avoid; }
  .case { break-inside: auto; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .prose { max-height: none; }
  svg, .badge, .callout { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
