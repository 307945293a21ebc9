import { makeTemporaryDirectory } from '../support/held.ts';
import { median } from '../support/median.ts';
import { findFreePort, startProgram } from '../support/processes.ts';
import { startFlags } from '../support/start-flags.ts';
import type { Options, Row } from './row.ts';

/** Measures `npm start` in a clone that is installed and built, on new and on used data. */
export async function measureReady({ rounds, log }: Options): Promise<Row[]> {
  const [fresh, used]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const { directory, remove } = await makeTemporaryDirectory();
    fresh?.push(await measureStart(directory));
    used?.push(await measureStart(directory));
    await remove();
    log(
      `ready: ${fresh?.at(-1)?.toFixed(0)} ms on a new data directory, ${used?.at(-1)?.toFixed(0)} ms on a used one`,
    );
  }
  const row = (what: string, values: number[] = []) => ({
    what,
    value: median(values),
    unit: 'ms',
    detail: `${values.length} starts, longest ${Math.max(...values).toFixed(0)} ms; without npm’s own start`,
  });
  return [
    { ...row('Ready on a used clone', used), bar: { atMost: 1_300 } },
    { ...row('… on a new data directory', fresh), bar: null },
  ];
}

/** @returns milliseconds until the addresses are printed and both ports say that they are ready */
async function measureStart(dataDirectory: string): Promise<number> {
  const [port, ingestPort] = [await findFreePort(), await findFreePort()];
  const startedAt = performance.now();
  const program = await startProgram([...startFlags(), 'scripts/start.mjs'], /See it:/, {
    PORT: String(port),
    INGEST_PORT: String(ingestPort),
    DATA_DIR: dataDirectory,
    DATABASE_URL: '',
    LOG_LEVEL: 'warn',
  });
  for (const each of [port, ingestPort]) {
    const { status } = await fetch(`http://127.0.0.1:${each}/readyz`);
    if (status !== 200) throw new Error(`/readyz was answered with ${status}.`);
  }
  const readyMs = performance.now() - startedAt;
  await program.stop();
  return readyMs;
}
