import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/*
 * `npm run test:busy`: `npm test` beside processes that each want a whole core, in the same session. Ends with the share of the
 * cores that they got: the tests had the rest.
 */
const HOGS = 20;

/** Runs until its parent asks, and answers with the CPU time that it got, in microseconds. */
const HOG = `
process.on('message', () => process.send(process.cpuUsage().user, () => process.exit()));
process.on('disconnect', () => process.exit());
const work = () => { const end = performance.now() + 20; while (performance.now() < end); setImmediate(work); };
work();
`;

const startMs = performance.now();
const hogs = Array.from({ length: HOGS }, () =>
  spawn(process.execPath, ['--eval', HOG], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
);
const script = fileURLToPath(new URL('test.mjs', import.meta.url));
const tests = spawn(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = await once(tests, 'exit');
const tookMs = performance.now() - startMs;

const used = await Promise.all(
  hogs.map(async (hog) => {
    const answered = once(hog, 'message');
    hog.send('end');
    const [usedUs] = await answered;
    return usedUs;
  }),
);
const share = used.reduce((sum, usedUs) => sum + usedUs, 0) / 1_000 / tookMs / availableParallelism();
console.log(
  `${HOGS} processes beside the tests got ${Math.round(100 * share)}% of ${availableParallelism()} cores for ${Math.round(tookMs / 1_000)} s.`,
);
process.exit(code ?? 1);
