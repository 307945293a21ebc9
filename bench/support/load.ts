import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import autocannon from 'autocannon';
import { makeTemporaryDirectory } from './held.ts';

/** Text in a body in place of which each request has 32 hexadecimal digits of its own. */
export const UNIQUE_ID = '{unique id}';

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
  /** How many these were. */
  accepted: number;
  p50Ms: number;
  p99Ms: number;
}

/** `wrk` costs less than a generator in Node, and so leaves the cores to what is measured. */
export const GENERATOR: 'wrk' | 'autocannon' =
  spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/**
 * Posts one body over and over on kept-alive connections.
 * @throws where an answer was no 2xx or a request failed
 */
export function post(load: Load): Promise<LoadResult> {
  return GENERATOR === 'wrk' ? postByWrk(load) : postByAutocannon(load);
}

/** Every answer of a load, also of one that goes beyond what a service can take. */
export interface FloodResult {
  seconds: number;
  accepted: number;
  /** Answered with neither 2xx nor 3xx. */
  refused: number;
  /** Connections that were refused or broken, and answers that took more than 30 seconds. */
  broken: number;
}

/** As `post`, but refusals and failures are counted. Needs `wrk`. */
export async function flood(load: Load): Promise<FloodResult> {
  const { requests, micros, refused, broken } = await runWrk(load);
  return { seconds: micros / 1e6, accepted: requests - refused, refused, broken };
}

const DRAW_IDS = `math.randomseed(os.time())
function request()
  local id = ''
  for _ = 1, 8 do id = id .. string.format('%04x', math.random(0, 65535)) end
  return wrk.format(nil, nil, nil, (wrk.body:gsub('${UNIQUE_ID}', id)))
end
`;

async function postByWrk(load: Load): Promise<LoadResult> {
  const { requests, micros, refused, broken, p50, p99 } = await runWrk(load);
  if (refused + broken > 0) throw new Error(`${refused + broken} requests failed.`);
  return { rate: requests / (micros / 1e6), accepted: requests, p50Ms: p50 / 1_000, p99Ms: p99 / 1_000 };
}

type WrkSummary = Record<'requests' | 'micros' | 'refused' | 'broken' | 'p50' | 'p99', number>;

async function runWrk({ url, apiKey, body, connections, seconds }: Load): Promise<WrkSummary> {
  const { directory, remove } = await makeTemporaryDirectory();
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
${body.includes(UNIQUE_ID) ? DRAW_IDS : ''}function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"micros":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d}\\n', summary.requests,
    summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`,
    );
    const parameters = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
    const wrk = spawn('wrk', parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    wrk.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(wrk, 'close');
    const summary = /^\{.*\}$/m.exec(output)?.[0];
    if (!summary) throw new Error(`wrk ended without a result: ${output}`);
    // The script above prints it.
    return JSON.parse(summary) as WrkSummary;
  } finally {
    await remove();
  }
}

const drawIds = (body: string) => body.replaceAll(UNIQUE_ID, randomBytes(16).toString('hex'));

async function postByAutocannon({ url, apiKey, body, connections, seconds }: Load): Promise<LoadResult> {
  const contentType = body.includes('\n') ? 'application/x-ndjson' : 'application/json';
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers: { 'content-type': contentType, 'x-api-key': apiKey },
    ...(body.includes(UNIQUE_ID)
      ? { requests: [{ setupRequest: (request) => ({ ...request, body: drawIds(body) }) }] }
      : { body }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed.`);
  const accepted = result['2xx'];
  const { p50, p99 } = result.latency;
  return { rate: accepted / result.duration, accepted, p50Ms: p50, p99Ms: p99 };
}
