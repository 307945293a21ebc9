import { readdirSync, readFileSync } from 'node:fs';
import { flood, post } from '../support/load.ts';
import { startProgram } from '../support/processes.ts';
import { startFlags } from '../support/start-flags.ts';
import { EVENT } from './event.ts';

const POLL_MS = 50;

/** Samples how many connections a process holds, and its memory, until `end`. */
export function watchConnections(pid: number, expected: number) {
  const startedAt = performance.now();
  const before = countFiles(pid);
  let acceptedMs = Number.NaN;
  let held = 0;
  let memoryBytes = 0;
  const sample = () => {
    held = Math.max(held, countFiles(pid) - before);
    if (Number.isNaN(acceptedMs) && held >= expected) acceptedMs = performance.now() - startedAt;
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    memoryBytes = Math.max(memoryBytes, Number(kilobytes) * 1_024);
  };
  const timer = setInterval(sample, POLL_MS);
  const end = () => {
    clearInterval(timer);
    return { acceptedMs, held, memoryBytes };
  };
  return { end };
}

function countFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Measures a bare `node:http` server under as many connections at once. */
export async function floodBare(
  seconds: number,
  { floods, connections, peakConnections }: { floods: number; connections: number; peakConnections: number },
) {
  const bare = await startProgram([...startFlags(), 'bench/dist/bare-server.js'], /listening (\d+)/);
  const url = `http://127.0.0.1:${bare.match[1]}/ingest/events`;
  const load = { url, apiKey: 'none', body: EVENT, seconds };
  const { rate: peak } = await post({ ...load, connections: peakConnections });
  const overflowsBefore = readListenOverflows();
  const watch = watchConnections(bare.child.pid ?? 0, floods * connections);
  const results = await Promise.all(Array.from({ length: floods }, () => flood({ ...load, connections })));
  const { held } = watch.end();
  const overflows = readListenOverflows() - overflowsBefore;
  await bare.stop();
  const rate = results.reduce((total, result) => total + result.accepted / result.seconds, 0);
  return { held, overflows, ratio: rate / peak };
}

/** Returns the overflows of the whole machine since it started: nothing else should listen under load meanwhile. */
export function readListenOverflows(): number {
  const [names, values] = readFileSync('/proc/net/netstat', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  const place = names?.indexOf('ListenOverflows') ?? -1;
  return Number(values?.[place]);
}
