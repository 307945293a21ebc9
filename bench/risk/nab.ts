import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replay } from '@tocsin/detector';
import { readSeriesFile } from 'tocsin/series-file';
import { printTable } from './table.ts';

const toMs = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
/** NAB does not score the beginning of a series: 15% of it, at most 750 rows. */
const PROBATION = 0.15;
const MAX_PROBATION_ROWS = 750;

/** `windows.json`: by the name of its file, the labelled windows of a series, from and to. */
type LabelledWindows = Record<string, { windows: [string, string][] }>;

/**
 * Numenta's anomaly benchmark: labelled windows of one day or more. A window counts as found if an incident opens
 * within it; an incident that opens outside of all is false. One setting for all series.
 * @param directory with `*.csv` and `windows.json`
 */
export async function evaluateNab(directory: string | null, budgets: number[]): Promise<void> {
  const windowsFile = directory ? path.join(directory, 'windows.json') : '';
  if (!directory || !existsSync(windowsFile)) {
    console.log('\nNAB: pass --data DIR, a directory with windows.json and the series that it names.');
    return;
  }
  // The benchmark's own file.
  const labelled = JSON.parse(await readFile(windowsFile, 'utf8')) as LabelledWindows;
  const rows: (string | number)[][] = [];
  for (const budget of budgets) {
    const sum = { found: 0, windows: 0, rows: 0, false: 0, early: 0 };
    const perSeries: string[] = [];
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
    const per1000 = (count: number) => ((1000 * count) / sum.rows).toFixed(2);
    const all = per1000(sum.false + sum.early);
    rows.push([budget, `${sum.found} of ${sum.windows}`, perSeries.join(' '), per1000(sum.false), all]);
  }
  const head = ['Budget a week', 'Windows found', 'By series', 'False per 1,000 rows', 'With the probation'];
  printTable('NAB', head, rows);
}
