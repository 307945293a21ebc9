import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from './ha/faults.ts';
import { type ProofOptions, readOptions, USAGE } from './ha/options.ts';
import { findHindrance } from './ha/requirements.ts';
import { hold } from './support/held.ts';
import { UsageError } from './table/options.ts';

/*
 * Proves that a cluster by the files of `deploy/ha` keeps what it acknowledged, through ten faults: see
 * docs/high-availability.md. The proof runs in network, process and mount namespaces of its own, which end with it.
 */
const NAMESPACES = ['--net', '--pid', '--mount', '--fork', '--mount-proc', '--kill-child'];

/** Exit code of a proof that cannot run here: scripts tell it from one that held. */
const SKIPPED = 77;

/**
 * A shell that runs the command behind it, and as the first process of its namespace buries those that lose their
 * parent. Names of network namespaces are files, which are to end as well.
 */
const FIRST_PROCESS = [
  'bash',
  '-c',
  'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && "$@"; exit $?',
  'bash',
];

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else if (options === 'list')
    for (const [name, { about }] of Object.entries(FAULTS)) console.log(name.padEnd(22), about);
  else await prove(options);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function prove(options: ProofOptions): Promise<void> {
  const hindrance = findHindrance();
  if (hindrance !== null) {
    console.log(`The proof of high availability is skipped. ${hindrance}`);
    process.exitCode = SKIPPED;
    return;
  }
  const directory = mkdtempSync(path.join(tmpdir(), 'tocsin-bench-'));
  // The account of PostgreSQL enters it.
  chmodSync(directory, 0o755);
  const logs = path.resolve(options.logs ?? path.join(directory, 'logs'));
  mkdirSync(logs, { recursive: true });
  const child = spawn(
    '/usr/bin/setpriv',
    [
      // Ends the namespaces with this process, also where it is killed.
      '--pdeathsig',
      'KILL',
      '/usr/bin/unshare',
      ...NAMESPACES,
      ...FIRST_PROCESS,
      process.execPath,
      fileURLToPath(new URL('ha/prove.js', import.meta.url)),
      directory,
      logs,
      JSON.stringify(options),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const end = await hold(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  const [code] = await exited;
  await end();
  process.exitCode = typeof code === 'number' ? code : 1;
}
