import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packServer } from './pack.mjs';

/**
 * Installs the server's tarball alone in an empty folder, without install scripts, starts it there, and sends an event: before
 * a release, since it fetches the dependencies from the registry. `npm run test:pack`
 */
const STARTS_WITHIN_MS = 120_000;

const directory = mkdtempSync(path.join(tmpdir(), 'tocsin-test-pack-'));
/** @type {import('node:child_process').ChildProcess | undefined} */
let service;
try {
  const tarball = packServer(directory);
  const project = mkdtempSync(path.join(directory, 'project-'));
  writeFileSync(path.join(project, 'package.json'), '{"private": true}\n');
  const install = ['install', tarball, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', install, { cwd: project, stdio: 'inherit' });
  const fetched = readdirSync(path.join(project, 'node_modules')).filter((name) => name === '@tocsin');
  assert(fetched.length === 0, 'A package of ours came from a registry.');

  const [port, ingestPort] = [await findFreePort(), await findFreePort()];
  const environment = {
    PORT: String(port),
    INGEST_PORT: String(ingestPort),
    DATABASE_URL: '',
    LOG_LEVEL: 'warn',
  };
  // In a process group of its own: npx does not forward signals.
  service = spawn('npx', ['--no-install', 'tocsin', 'start'], {
    cwd: project,
    env: { ...process.env, ...environment, DATA_DIR: path.join(project, 'data') },
    stdio: 'inherit',
    detached: true,
  });
  const management = `http://127.0.0.1:${port}`;
  await untilReady(`${management}/readyz`);

  const page = await (await fetch(`${management}/app/`)).text();
  assert(page.includes('/app/assets/'), 'The page of the dashboard is not served.');
  assert((await fetch(`${management}/docs/`)).ok, 'The API reference is not served.');
  assert((await fetch(`${management}/sdk.tgz`)).ok, 'The SDK is not served.');
  const account = { name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  const signedUp = await send(`${management}/auth/signup`, account);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const headers = { cookie };
  const created = await send(`${management}/projects`, { name: 'Shop' }, headers);
  const { apiKey } = /** @type {{ apiKey: string }} */ (await created.json());
  const event = { type: 'checkout', severity: 'INFO', message: 'Paid' };
  const accepted = await send(`http://127.0.0.1:${ingestPort}/ingest/events`, event, { 'x-api-key': apiKey });
  assert(accepted.status === 202, `The event was answered ${accepted.status}.`);
  console.log('The tarball installs alone, and serves the page and an event.');
} finally {
  if (service?.pid !== undefined) await endGroup(service.pid);
  rmSync(directory, { recursive: true, force: true });
}

/** Ends a process group and waits until all its processes are gone: npx ends before the service does. @param {number} leader */
async function endGroup(leader) {
  if (isGroup(leader)) process.kill(-leader, 'SIGTERM');
  while (isGroup(leader)) await sleep(100);
}

/** @param {number} leader */
function isGroup(leader) {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

/** @param {boolean} holds @param {string} message */
function assert(holds, message) {
  if (!holds) throw new Error(message);
}

/** @param {string} url @param {object} body @param {Record<string, string>} [headers] */
function send(url, body, headers = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** @param {string} url */
async function untilReady(url) {
  for (const begun = performance.now(); performance.now() - begun < STARTS_WITHIN_MS; await sleep(200)) {
    assert(service?.exitCode === null, 'The service has ended.');
    if ((await fetch(url).catch(() => null))?.status === 200) return;
  }
  throw new Error('The service is not ready.');
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
