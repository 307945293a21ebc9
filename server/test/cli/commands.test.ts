import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { writeCredentials } from '../../src/cli/client/credentials.ts';
import { createProgram } from '../../src/cli/program.ts';
import { toId } from '../../src/platform/ids.ts';
import { aQueuedEvent, storeBatch } from '../processing/support.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildServer, runCommand } from '../support/program.ts';
import { startTestService } from '../support/service.ts';
import { longForm } from '../support/test-length.ts';
import { totpCode } from '../support/totp-code.ts';
import { temporaryDirectory } from './places.ts';
import { createNewDatabase, printedBy } from './support.ts';

const HOUR_MS = 3_600_000;

interface Run {
  argv: string[];
  environment?: Record<string, string>;
  input?: string;
  /** Whole output, standard output before standard error. */
  prints: RegExp;
}

/** Commands that another test runs successfully, with its title. */
const ELSEWHERE: Record<string, [file: string, title: string]> = {
  restart: [
    '../restart.test.ts',
    'refuses no connection, cuts no request, and stores each event once, with sockets of systemd and restart after restart',
  ],
  start: ['backup-and-restore.test.ts', 'starts the service on the result'],
  backup: ['backup-and-restore.test.ts', 'prints how many rows were backed up and restored'],
  restore: ['backup-and-restore.test.ts', 'prints how many rows were backed up and restored'],
  'archive move': [
    '../archive/run-commands.ts',
    'moves the weeks that are over with tocsin archive move, and prints them with tocsin archive status',
  ],
  'archive verify': [
    '../archive/run-commands.ts',
    'says which weeks are not as recorded with tocsin archive verify',
  ],
};

describe('each command, as a process; in the short form the others of its group in this one', async () => {
  await buildServer();
  const directory = await temporaryDirectory();
  const database = await createTestDatabase();
  const oldKey = 'the-key-that-secrets-are-encrypted-with';
  const service = await startTestService({ database, environment: { ENCRYPTION_KEY: oldKey } });
  const user = await service.signUp('Ada');
  const { api } = user;
  const shop = await user.createProject('Shop');
  const { token } = (await api.post('/tokens', { name: 'Shell', scopes: ['read', 'write'] })).body;
  const environment = {
    DATABASE_URL: database.connectionString,
    TOCSIN_URL: service.managementUrl,
    TOCSIN_TOKEN: token,
    XDG_CONFIG_HOME: directory,
  };
  await shop.ingest.post('/ingest/events', {
    type: 'pay',
    severity: 'ERROR',
    message: 'The card was refused',
  });
  await service.settled();
  const [group] = (await api.get('/groups')).body;
  const id = await user.openIncident(shop.id, { title: 'Slow checkout' });

  const startSilence = async () => {
    const until = new Date(service.context.clock.now() + HOUR_MS).toISOString();
    return (await api.post('/silences', { until, reason: 'Planned' })).body;
  };

  /** Adds a dead letter to the project. @returns its id */
  const addDeadLetter = async () => {
    const event = { ...aQueuedEvent(shop.id), message: 'The till is closed' };
    await storeBatch(service, shop.id, [{ ...event, severity: 'none' }]);
    return toId('job', event.id);
  };

  const runs: Record<string, () => Promise<Run> | Run> = {
    migrate: async () => ({
      argv: [],
      environment: { DATABASE_URL: await createNewDatabase() },
      prints: /^applied 0001_first_release\.sql\n(applied .+\n)*$/,
    }),
    retention: () => ({
      argv: ['--confirm'],
      prints: /Events are kept for 90 days.*\nThe time is confirmed/,
    }),
    'archive status': () => ({ argv: [], prints: /^No archive was used yet\.\n$/ }),
    'accept-database': () => ({ argv: [], prints: /^The database is accepted as it is/ }),
    'reset-password': () => ({ argv: [user.email], prints: /^http\S+\nThe link works once, until / }),
    'reset-totp': async () => {
      const careful = await service.signUp();
      const { body } = await careful.api.post('/auth/totp/enrol', { password: careful.password });
      await careful.api.post('/auth/totp/activate', {
        code: totpCode(body.secret, service.context.clock.now()),
      });
      return { argv: [careful.email], prints: /^Two-factor authentication is off/ };
    },
    'change-email': async () => {
      const { email } = await service.signUp();
      return { argv: [email, `new-${email}`], prints: new RegExp(`^The user logs in with new-${email}`) };
    },
    'encrypt-again': async () => {
      const pager = { kind: 'webhook', name: 'Pager', config: { url: 'https://pager.invalid/hook' } };
      await api.post('/notification-targets', pager);
      const keys = `a-newer-key-that-comes-before-the-old-one,${oldKey}`;
      return {
        argv: [],
        environment: { ENCRYPTION_KEY: keys },
        prints: /^[1-9]\d* encrypted with the first key, 0 unreadable\.\n/,
      };
    },
    login: () => ({ argv: [service.managementUrl], input: `${token}\n`, prints: /as Ada \(/ }),
    logout: async () => {
      const home = path.join(directory, 'other');
      await writeCredentials({ XDG_CONFIG_HOME: home }, { url: service.managementUrl, token });
      return { argv: [], environment: { XDG_CONFIG_HOME: home }, prints: /^Removed the stored token\./ };
    },
    events: () => ({ argv: ['--project', 'Shop'], prints: /The card was refused\n$/ }),
    'incidents list': () => ({ argv: [], prints: /Slow checkout/ }),
    'incidents show': () => ({ argv: [id], prints: /Slow checkout/ }),
    'incidents investigate': () => ({ argv: [id], prints: /status: investigating/ }),
    'incidents resolve': () => ({
      argv: [id, '--note', 'Rolled back'],
      prints: /Rolled back[^]*status: resolved/,
    }),
    'groups list': () => ({ argv: [], prints: new RegExp(`${group.key} .*The card was refused`) }),
    'groups show': () => ({ argv: [group.key], prints: /The card was refused/ }),
    'groups mute': () => ({ argv: [group.key, '--for', '4h'], prints: /muted until \d/ }),
    'groups resolve': () => ({ argv: [group.key], prints: /^resolved, error/m }),
    'dead-letters list': async () => {
      const letter = await addDeadLetter();
      return {
        argv: ['--project', 'Shop'],
        prints: new RegExp(`^${letter} .* 22P02 .*The till is closed$`, 'm'),
      };
    },
    'dead-letters show': async () => ({
      argv: [await addDeadLetter(), '--project', 'Shop'],
      prints: /^{"id":"job_.*"event":{.*"severity":"none"/,
    }),
    'dead-letters replay': async () => ({
      argv: [await addDeadLetter(), '--project', 'Shop'],
      prints: /^Queued again: 1\.\n$/,
    }),
    'dead-letters discard': async () => {
      await addDeadLetter();
      return { argv: ['--all', '--project', 'Shop'], prints: /^Discarded: [1-9]\d*\.\n$/ };
    },
    'silence start': () => ({ argv: ['--for', '30m', '--reason', 'Load test'], prints: /Load test/ }),
    'silence list': async () => {
      const { id: silence } = await startSilence();
      return { argv: [], prints: new RegExp(`^${silence} +active .*Planned`, 'm') };
    },
    'silence end': async () => {
      const { id: silence } = await startSilence();
      return { argv: [silence], prints: new RegExp(`^${silence} +ended .*: Planned`) };
    },
    send: () => ({
      argv: ['--type', 'nightly', '--severity', 'info', '--message', 'Done'],
      environment: { TOCSIN_URL: service.ingestionUrl, TOCSIN_API_KEY: shop.apiKey },
      prints: /^job_\w+\n$/,
    }),
    'risk replay': async () => {
      const file = path.join(directory, 'requests.csv');
      const rows = Array.from({ length: 3_000 }, (_, minute) => `${minute * 60},${minute < 2_980 ? 5 : 500}`);
      await writeFile(file, rows.join('\n'));
      return { argv: [file], prints: /"direction":"up"/ };
    },
    clients: async () => ({
      argv: [],
      prints: /pino-opentelemetry-transport +4\.\d.* v20\.\S+ +20\d\d-\d\d-\d\d +passed/,
    }),
  };

  /** True for the first command of a group, which loads the modules of all others. */
  const isFirst = (command: string) =>
    Object.keys(runs).find((other) => groupOf(other) === groupOf(command)) === command;

  it.each(Object.entries(runs))('runs tocsin %s successfully', async (command, prepare) => {
    const { argv, environment: own, input, prints } = await prepare();
    const parameters = [...command.split(' '), ...argv];
    const all = { ...environment, ...own };
    if (!longForm && !isFirst(command) && input === undefined) {
      expect(await printedBy(all, parameters)).toMatch(prints);
      return;
    }
    const ended = await runCommand(parameters, {
      environment: all,
      ...(input === undefined ? {} : { input }),
    });
    expect(ended).toMatchObject({ exitCode: 0 });
    expect(ended.stdout + ended.stderr).toMatch(prints);
  });

  it('covers every command of the program with such a test', async () => {
    for (const [file, title] of Object.values(ELSEWHERE))
      expect((await readFile(new URL(file, import.meta.url), 'utf8')).replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(`it\\( ?'${title}`),
      );
    expect([...Object.keys(ELSEWHERE), ...Object.keys(runs)].toSorted()).toEqual(
      listCommands(await createProgram({})).toSorted(),
    );
  });
});

const groupOf = (command: string) => command.split(' ')[0];

/** @returns the commands, without those that only group others */
function listCommands(command: Command, names: string[] = []): string[] {
  if (command.commands.length === 0) return [names.join(' ')];
  return command.commands.flatMap((each) => listCommands(each, [...names, each.name()]));
}
