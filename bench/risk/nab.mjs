import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replay } from '../../packages/detector/dist/replay/replay.js';
import { readSeriesFile } from '../../server/dist/cli/series-file.js';
import { printTable } from './table.mjs';

const toMs = (/** @type {string} */ text) => Date.parse(`${text.replace(' ', 'T')}Z`);
/** NAB does not score the beginning of a series: 15% of it, at most 750 rows. */
const PROBATION = 0.15;
const MAX_PROBATION_ROWS = 750;

/**
 * Numenta's anomaly benchmark: labelled windows of one day or more. A window counts as found if an incident opens
 * within it; an incident that opens outside of all is false. One setting for all series.
 * @param {string | null} directory with `*.csv` and `windows.json`
 * @param {number[]} budgets
 */
export async function evaluateNab(directory, budgets) {
  const windowsFile = directory ? path.join(directory, 'windows.json') : '';
  if (!directory || !existsSync(windowsFile)) {
    console.log('\nNAB: pass --data DIR, a directory with windows.json and the series that it names.');
    return;
  }
  const labelled = JSON.parse(await readFile(windowsFile, 'utf8'));
  const rows = [];
  for (const budget of budgets) {
    const sum = { found: 0, windows: 0, rows: 0, false: 0, early: 0 };
    const perSeries = [];
    for (const [file, { windows }] of Object.entries(labelled)) {
      const series = await readSeriesFile(path.join(directory, file), null);
      const length = series.counts.length;
      const probation = Math.min(MAX_PROBATION_ROWS, PROBATION * length) * series.stepMinutes * 60_000;
      const spans = windows.map(([from, to]) => ({ from: toMs(from), to: toMs(to), found: false }));
      for (const { openedAtMs } of replay(series, budget)) {
        const hits = spans.filter(({ from, to }) => openedAtMs >= from && openedAtMs <= to);
        for (const hit of hits) hit.found = true;
        if (hits.length > 0) continue;
        if (openedAtMs < series.startMs + probation) sum.early++;
        else sum.false++;
      }
      const found = spans.filter((span) => span.found).length;
      perSeries.push(`${found}/${spans.length}`);
      sum.found += found;
      sum.windows += spans.length;
      sum.rows += length;
    }
    const per1000 = (/** @type {number} */ count) => ((1000 * count) / sum.rows).toFixed(2);
    const all = per1000(sum.false + sum.early);
    rows.push([budget, `${sum.found} of ${sum.windows}`, perSeries.join(' '), per1000(sum.false), all]);
  }
  const head = ['Budget a week', 'Windows found', 'By series', 'False per 1,000 rows', 'With the probation'];
  printTable('NAB', head, rows);
}
