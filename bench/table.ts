import { cpus, release, totalmem } from 'node:os';
import { releaseAll } from './support/held.ts';
import { GENERATOR } from './support/load.ts';
import { chooseMeasuredNode } from './support/measured-node.ts';
import { type Part, readRequest, type TableRequest, USAGE, UsageError } from './table/options.ts';
import { PARTS } from './table/parts.ts';
import { formatRow, HEADER, isMissed, type Options } from './table/row.ts';

/*
 * The first group of rows of docs/performance.md: each part starts a service of its own, measures what it compares in turn, and gives
 * medians and ratios of one run. Rows go to standard output as they stand in the document, what happens meanwhile to standard
 * error. Ends with 1 where a row misses its bar or a part fails, with 2 where the command line is wrong.
 */
try {
  const request = readRequest(process.argv.slice(2), PARTS);
  if (request.show === 'help') console.log(USAGE);
  else if (request.show === 'list') console.log(listParts());
  else process.exitCode = await printTable(request);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

function listParts(): string {
  const parts: [string, Part][] = Object.entries(PARTS);
  return parts
    .map(
      ([name, { about, isLong }]) => `${name.padEnd(10)} ${about}${isLong ? '; only where it is named' : ''}`,
    )
    .join('\n');
}

/** @returns the exit code */
async function printTable({ names, node, options: asked }: TableRequest): Promise<number> {
  const nodeVersion = node === null ? process.version : chooseNode(node);
  const yardsticks = nodeVersion === process.version ? '' : ` (yardsticks ${process.version})`;
  const options: Options = { ...asked, log: (line) => console.error(line) };
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${nodeVersion}${yardsticks}, ` +
      `load by ${GENERATOR} on the same machine, ${options.rounds} alternating rounds of ${options.seconds} s\n\n${HEADER}`,
  );
  const [failed, missed]: string[][] = [[], []];
  for (const name of names) {
    console.error(`# ${name}`);
    try {
      const measured = (await PARTS[name]?.measure(options)) ?? [];
      if (!Array.isArray(measured)) console.error(`left out: ${measured.skipped}`);
      for (const row of Array.isArray(measured) ? measured : []) {
        console.log(formatRow(row));
        if (isMissed(row)) missed?.push(`${name}, ${row.what}`);
      }
    } catch (error) {
      console.error(error);
      failed?.push(name);
    } finally {
      // Leftovers of a failed part would disturb the parts behind it.
      await releaseAll();
    }
  }
  if (failed?.length) console.error(`failed: ${failed.join(', ')}`);
  if (missed?.length) console.error(`over the bar: ${missed.join('; ')}`);
  return failed?.length || missed?.length ? 1 : 0;
}

function chooseNode(choice: string): string {
  try {
    return chooseMeasuredNode(choice);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
