#!/usr/bin/env node
/*
 * The health check of the image: exit code 0 where the process that runs beside it answers. It asks `/livez`
 * on each port that is open. A port that refuses connections belongs to a role that does not run here; one that accepts
 * and does not answer with 200 in time fails the check, and so does it where no port is open. It stands alone, without the program's
 * modules: it runs every few seconds.
 */
import { request } from 'node:http';

const TIMEOUT_MS = 4_000;
const { HOST, PORT, INGEST_PORT, METRICS_PORT } = process.env;
const ports = [PORT || '4000', INGEST_PORT || '4100', METRICS_PORT || '4200'];

const results = await Promise.all(ports.map(askPort));
const healthy = results.includes('answers') && !results.includes('fails');
if (!healthy) console.error(ports.map((port, index) => `${port} ${results[index]}`).join(', '));
process.exit(healthy ? 0 : 1);

/**
 * @param {string} port
 * @returns {Promise<'answers' | 'fails' | 'closed'>}
 */
function askPort(port) {
  return new Promise((resolve) => {
    const asked = request({ host: reachableHost(), port, path: '/livez' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? 'answers' : 'fails');
    });
    asked.setTimeout(TIMEOUT_MS, () => asked.destroy());
    asked.on('error', (error) =>
      resolve('code' in error && error.code === 'ECONNREFUSED' ? 'closed' : 'fails'),
    );
    asked.end();
  });
}

/** Where the process listens on every address, its loopback answers; an IPv6 address stands without brackets here. */
function reachableHost() {
  if (!HOST || HOST === '0.0.0.0') return '127.0.0.1';
  return HOST === '::' ? '::1' : HOST;
}
