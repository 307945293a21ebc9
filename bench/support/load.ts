import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';

export interface Load {
  url: string;
  apiKey: string;
  body: string;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Requests a second that were answered with 2xx. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
}

/** `wrk` costs a fifth of what a generator in Node does, and so leaves the cores to what is measured. */
export const GENERATOR: 'wrk' | 'autocannon' =
  spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/**
 * Posts one body over and over on kept-alive connections.
 * @throws where an answer was no 2xx or a request failed
 */
export function post(load: Load): Promise<LoadResult> {
  return GENERATOR === 'wrk' ? postByWrk(load) : postByAutocannon(load);
}

async function postByWrk({ url, apiKey, body, connections, seconds }: Load): Promise<LoadResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-wrk-'));
  try {
    const script = path.join(directory, 'post.lua');
    const contentType = body.includes('\n') ? 'application/x-ndjson' : 'application/json';
    await writeFile(path.join(directory, 'body'), body);
    await writeFile(
      script,
      `local file = io.open(${JSON.stringify(path.join(directory, 'body'))}, 'rb')
wrk.method = 'POST'
wrk.body = file:read('*a')
wrk.headers['content-type'] = '${contentType}'
wrk.headers['x-api-key'] = '${apiKey}'
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"micros":%d,"failed":%d,"p50":%d,"p99":%d}\\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`,
    );
    const wrk = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    wrk.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(wrk, 'close');
    const summary = /^\{.*\}$/m.exec(output)?.[0];
    if (!summary) throw new Error(`wrk ended without a result: ${output}`);
    // The script above prints it.
    const result = JSON.parse(summary) as Record<'requests' | 'micros' | 'failed' | 'p50' | 'p99', number>;
    if (result.failed > 0) throw new Error(`${result.failed} requests failed.`);
    return {
      rate: result.requests / (result.micros / 1e6),
      p50Ms: result.p50 / 1_000,
      p99Ms: result.p99 / 1_000,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function postByAutocannon({ url, apiKey, body, connections, seconds }: Load): Promise<LoadResult> {
  const contentType = body.includes('\n') ? 'application/x-ndjson' : 'application/json';
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers: { 'content-type': contentType, 'x-api-key': apiKey },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed.`);
  return { rate: result['2xx'] / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
