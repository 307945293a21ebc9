import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { GENERATOR } from './support/load.ts';
import { measureBulk } from './table/bulk.ts';
import { measureDelays } from './table/delays.ts';
import { measureFootprint } from './table/footprint.ts';
import { measureOverload } from './table/overload.ts';
import { measureQuietProject } from './table/quiet-project.ts';
import { formatRow, isMissed, type Part, type Row } from './table/row.ts';
import { measureSdk } from './table/sdk.ts';
import { measureSingleEvents } from './table/single-events.ts';

/*
 * The table of docs/performance.md: each part starts a service of its own, measures what it compares in turn, and gives
 * medians and ratios of one run. Ends with 1 where a row misses its bar.
 */
const PARTS: Record<string, Part> = {
  single: measureSingleEvents,
  bulk: measureBulk,
  sdk: measureSdk,
  delays: measureDelays,
  footprint: measureFootprint,
  overload: measureOverload,
  quiet: measureQuietProject,
};

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
  },
});
const names = values.part ?? Object.keys(PARTS);
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  log: (line: string) => console.error(line),
};
const rows: Row[] = [];
for (const name of names) {
  const part = PARTS[name];
  if (!part) throw new Error(`No part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
  console.error(`# ${name}`);
  const measured = await part(options);
  if (Array.isArray(measured)) rows.push(...measured);
  else console.error(`left out: ${measured.skipped}`);
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.version}, ` +
    `load by ${GENERATOR} on the same machine, ${options.rounds} alternating rounds of ${options.seconds} s\n`,
);
console.log('| What | Measured | Bar | | How |\n|---|---|---|---|---|');
for (const row of rows) console.log(formatRow(row));
process.exitCode = rows.some(isMissed) ? 1 : 0;
