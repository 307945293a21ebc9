import { createServer } from 'node:http';
import chdb from 'chdb';
// The package binds values of JavaScript; of an address they arrive as texts in the form that the engine reads.
import loader from './node_modules/chdb/dist/loader.js';

/*
 * The engine of ClickHouse in this process behind as much of its HTTP protocol as `@clickhouse/client` uses:
 * `node facade.mjs PORT DIRECTORY`. It prints its address once it answers. What goes wrong is told by environment variables
 * at the start, or later by `POST /faults` with their names as JSON:
 *   DIE_EVERY  ends the process after each n-th INSERT, stored and never answered; 0: never
 *   REFUSE     answers each statement with an error: 1 or 0
 *   HANG       never answers a statement: 1 or 0
 */
const engine = loader.loadNative();
const [port, directory] = process.argv.slice(2);
const faults = { DIE_EVERY: 0, REFUSE: 0, HANG: 0 };
for (const name of Object.keys(faults)) faults[name] = Number(process.env[name] ?? 0);

/** Parameters of an address that are no settings of the engine. */
const NO_SETTINGS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'role']);
// `max_execution_time` and the like come as settings; the client adds others for HTTP alone.
const HTTP_SETTINGS = /^(?:param_|send_progress|http_|wait_end_of_query|enable_http_compression)/;

let inserts = 0;
/** The engine runs one statement after the other, each in a session of its own with its settings. */
let tail = Promise.resolve();
// The first session binds the directory, and keeps it open between requests.
const first = new chdb.Session(directory);

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const address = new URL(request.url ?? '/', 'http://facade');
    if (address.pathname === '/ping') return response.end('Ok.\n');
    const body = Buffer.concat(parts);
    if (address.pathname === '/faults') {
      Object.assign(faults, JSON.parse(body.toString()));
      return response.end('told');
    }
    if (faults.HANG) return;
    if (faults.REFUSE) return fail(response, '202', 'TOO_MANY_SIMULTANEOUS_QUERIES');
    tail = tail.then(() => answer(request, response, address.searchParams, body)).catch(console.error);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => {
  first.close();
  process.exit(0);
});

async function answer(request, response, parameters, body) {
  const form = formOf(request, body);
  const bound = {};
  for (const [name, value] of [...parameters, ...form])
    if (name.startsWith('param_')) bound[name.slice('param_'.length)] = value;
  const inAddress = parameters.get('query');
  const text = form.get('query') ?? inAddress ?? body.toString();
  const data = inAddress !== null && form.size === 0 ? body : null;
  const settings = [...parameters]
    .filter(([name]) => !NO_SETTINGS.has(name) && !HTTP_SETTINGS.test(name))
    .map(([name, value]) => `${name} = ${literal(value)}`);
  const session = new chdb.Session(directory);
  try {
    if (settings.length > 0) session.query(`SET ${settings.join(', ')}`);
    const isInsert = /^\s*insert/i.test(text);
    const out = isInsert && data ? await insert(session, text, data) : read(session, text, bound);
    if (isInsert && data && faults.DIE_EVERY > 0 && ++inserts % faults.DIE_EVERY === 0)
      process.kill(process.pid, 'SIGKILL');
    response.setHeader('X-ClickHouse-Summary', '{}');
    response.end(out);
  } catch (error) {
    const [, code = '1', message = error.message] =
      /Code: (\d+)\. DB::Exception: ([\s\S]*)/.exec(error.message) ?? [];
    fail(response, code, message);
  } finally {
    session.close();
  }
}

async function insert(session, text, data) {
  if (data.length === 0) return '';
  const [, into, format] = /^([\s\S]*?)\bFORMAT\s+(\w+)\s*$/i.exec(text) ?? [];
  session.query(`${into} FORMAT ${format}\n${data.toString()}`, 'TabSeparated');
  return '';
}

function read(session, text, bound) {
  const [, statement, format] = /^([\s\S]*?)\s+FORMAT\s+(\w+)\s*;?\s*$/i.exec(text) ?? [
    null,
    text,
    'TabSeparated',
  ];
  return Object.keys(bound).length > 0
    ? engine.QueryWithParamsConnection(session.connection, statement, format, bound)
    : session.query(statement, format);
}

/** Fields of a form, which the client sends where an address would be too long. */
function formOf(request, body) {
  const [, boundary] = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) return new Map();
  const fields = new Map();
  for (const part of body.toString().split(`--${boundary}`)) {
    const [, name, value] = /name="([^"]+)"[\s\S]*?\r\n\r\n([\s\S]*)\r\n$/.exec(part) ?? [];
    if (name !== undefined) fields.set(name, value);
  }
  return fields;
}

function literal(value) {
  return /^\d+(?:\.\d+)?$/.test(value) ? value : quoted(value);
}

function quoted(value) {
  return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
}

function fail(response, code, message) {
  response.statusCode = 500;
  response.setHeader('X-ClickHouse-Exception-Code', code);
  response.end(`Code: ${code}. DB::Exception: ${message}`);
}
