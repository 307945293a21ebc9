import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { CommandError } from '../../src/platform/command-error.ts';
import { startServiceProxy } from '../support/network-proxy.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-client-'));
afterAll(() => rm(directory, { recursive: true, force: true }));
const file = path.join(directory, 'tocsin/credentials.json');

interface Run {
  output: string[];
  notes: string[];
  /** Error with which the command ended; null if there was none. */
  ended: Promise<CommandError | null>;
}

class Lines extends Writable {
  readonly lines: string[] = [];
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(columns = 0) {
    super();
    this.isTTY = columns > 0;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.lines.push(...chunk.toString().replace(/\n$/, '').split('\n'));
    done();
  }
}

/** Runs a command as the shell would, with its own configuration directory. */
function run(
  argv: string[],
  {
    environment = {},
    input = '',
    columns = 0,
  }: { environment?: NodeJS.ProcessEnv; input?: string; columns?: number } = {},
): Run {
  const [output, notes] = [new Lines(columns), new Lines()];
  const streams = { input: Readable.from([Buffer.from(input)]), output, notes };
  const program = createProgram({ XDG_CONFIG_HOME: directory, ...environment }, argv[0], streams);
  const ended = program
    .then((made) => made.parseAsync(argv, { from: 'user' }))
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof CommandError) return error;
        throw error;
      },
    );
  return { output: output.lines, notes: notes.lines, ended };
}

async function linesOf(...parameters: Parameters<typeof run>): Promise<string[]> {
  const { output, ended } = run(...parameters);
  expect(await ended).toBeNull();
  return output;
}

const service = await startTestService();
const tokenOf = async ({ api }: TestUser, ...scopes: string[]) =>
  (await api.post('/tokens', { name: 'CLI', scopes })).body as { id: string; token: string };
const user = await service.signUp('Ada');
const project = await user.createProject('Shop');
const { token } = await tokenOf(user, 'read', 'write');
const environment = { TOCSIN_URL: service.managementUrl, TOCSIN_TOKEN: token };
const EVENT = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'The card was refused' };
const capture = async (fields: object = {}) => {
  expect((await project.ingest.post('/ingest/events', { ...EVENT, ...fields })).status).toBe(202);
};

/** Starts a server that gives one answer to everything. */
const print = (argv: string[], options: { columns?: number } = {}) =>
  linesOf(argv, { environment, ...options });
const failure = (argv: string[]) => run(argv, { environment }).ended;

/** A server that gives one answer to everything. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('tocsin login', () => {
  it('stores a valid token in a file that only its user can read, and removes it again', async () => {
    const said = await linesOf(['login', service.managementUrl], { input: `${token}\n` });
    expect(said.join(' ')).toContain(`as Ada (${user.email}), organization Ada.`);
    expect(said.join(' ')).not.toContain(token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: `${service.managementUrl}/`, token });
    expect(await linesOf(['incidents'])).toEqual(['There are no such incidents.']);
    expect(await linesOf(['logout'])).toEqual([expect.stringContaining('Removed the stored token.')]);
    expect(await linesOf(['logout'])).toEqual(['No token was stored.']);
    expect(await run(['incidents']).ended).toMatchObject({ exitCode: 3 });
  });

  it('stores neither a refused token nor an API key nor an empty text', async () => {
    const logIn = (input: string) => run(['login', service.managementUrl], { input }).ended;
    expect(await logIn(`tsn_pat_${'0'.repeat(38)}`)).toMatchObject({ exitCode: 3 });
    expect(await logIn(project.apiKey)).toMatchObject({ message: expect.stringContaining('is an API key') });
    expect(await logIn('')).toMatchObject({ message: expect.stringContaining('There is no access token') });
    expect(await logIn('no token\r')).toMatchObject({
      message: expect.stringContaining('begins with tsn_pat_'),
    });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('recognises the address of ingestion, of another server, or of none', async () => {
    const logIn = (url: string) => run(['login', url], { input: token }).ended;
    expect(await logIn(service.ingestionUrl)).toMatchObject({
      exitCode: 4,
      message: expect.stringContaining('use the address of the dashboard'),
    });
    const other = await serve((_request, response) => response.writeHead(404).end('<h1>nginx</h1>'));
    expect(await logIn(other)).toMatchObject({
      exitCode: 4,
      message: expect.stringContaining('There is no Tocsin'),
    });
    expect(await logIn('http://127.0.0.1:1')).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('cannot be reached'),
    });
    expect(await logIn('tocsin.example.com')).toMatchObject({ message: expect.stringContaining('http://') });
    const tls = service.managementUrl.replace('http:', 'https:');
    expect(await logIn(tls)).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('does not speak TLS'),
    });
  });

  it('says that a certificate is not trusted, and how to trust it', async () => {
    const [key, cert] = await Promise.all(
      ['server-key.pem', 'server.pem'].map((name) =>
        readFile(new URL(`../support/tls/${name}`, import.meta.url)),
      ),
    );
    const seen: unknown[] = [];
    const server = createTlsServer({ key, cert }, (request, response) => {
      seen.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    expect(await run(['login', url], { input: token }).ended).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(seen).toEqual([]);
  });

  it('sends a stored token to no other server, and follows no redirect with it', async () => {
    await linesOf(['login', service.managementUrl], { input: token });
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${service.managementUrl}/auth/me` }).end();
    });
    const wrong = run(['events'], { environment: { TOCSIN_URL: other } });
    expect(await wrong.ended).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('You are logged in to'),
    });
    expect(seen).toEqual([]);
    const redirected = run(['events'], { environment: { TOCSIN_URL: other, TOCSIN_TOKEN: token } });
    expect(await redirected.ended).toMatchObject({ message: expect.stringContaining('redirects to') });
    await linesOf(['logout']);
  });

  it('reports a damaged file of credentials', async () => {
    await linesOf(['login', service.managementUrl], { input: token });
    for (const text of ['', '[]', '{"url":5}', '{"url":"http://x"}']) {
      await writeFile(file, text);
      expect(await run(['events']).ended).toMatchObject({ message: expect.stringContaining('is damaged') });
    }
    await linesOf(['logout']);
  });

  it('says which permission a token lacks, with its own exit code', async () => {
    const reader = await tokenOf(user, 'read');
    const refused = run(['incidents', 'resolve', 'inc_01h455vb4pex5vsknk084sn02q'], {
      environment: { ...environment, TOCSIN_TOKEN: reader.token },
    });
    expect(await refused.ended).toMatchObject({ exitCode: 3, message: expect.stringContaining('`write`') });
  });
});

describe('tocsin events', () => {
  it('prints the newest events in the order of time, by project, severity, words and time', async () => {
    const other = await user.createProject('Other');
    await other.ingest.post('/ingest/events', { ...EVENT, message: 'Elsewhere' });
    await capture({ message: 'First', severity: 'INFO' });
    await service.settled();
    await capture({ message: 'Second and last' });
    await service.settled();
    const list = (...argv: string[]) => print(['events', '--project', 'Shop', ...argv]);
    const [first = '', second = ''] = await list();
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}info {6}shop +checkout +First$/);
    expect(second).toContain('Second and last');
    expect(await list('--severity', 'ERROR')).toEqual([second]);
    expect(await list('--query', 'LAST second')).toEqual([second]);
    expect(await list('--limit', '1')).toEqual([second]);
    expect(await list('--since', '1h')).toEqual([first, second]);
    expect(await list('--since', '2999-01-01')).toEqual([]);
    const json = (await list('--json')).map((line) => JSON.parse(line));
    expect(json).toMatchObject([{ message: 'First', payload: {} }, { message: 'Second and last' }]);
    expect(await failure(['events', '--project', 'Nothing'])).toMatchObject({
      exitCode: 4,
      message: 'There is no project Nothing.',
    });
  });

  it('never sends a text of an event to the terminal as a command', async () => {
    const hostile = '\u001b]0;title\u0007\u001b[2J\rok\u009b31m\u202etxt\u200b\u007f a\nb\tc \u{1f600}';
    await capture({ message: hostile, source: '\u001b[31m', type: 'x\u202ey' });
    await service.settled();
    for (const argv of [
      ['events', '--limit', '1'],
      ['events', '--limit', '1', '--json'],
      ['groups', 'list', '--limit', '1'],
    ]) {
      const [line = '', ...rest] = (await print(argv, { columns: 200 })).slice(argv[0] === 'groups' ? 1 : 0);
      expect(rest).toEqual([]);
      expect(line).not.toMatch(/[\p{Cc}\u200b\u202e]/u);
      if (argv.includes('--json')) expect(JSON.parse(line).message).toBe(hostile);
      else expect(line).toContain('\\x1b');
    }
  });

  it('fits the lines to the terminal', async () => {
    await capture({ message: `${'漢字 '.repeat(100)}end` });
    await service.settled();
    const [line = ''] = await print(['events', '--limit', '1'], { columns: 100 });
    expect(line).toMatch(/漢字…?$|…$/);
    expect(line.length).toBeLessThan(100);
    const [piped = ''] = await print(['events', '--limit', '1']);
    expect(piped).toMatch(/end$/);
  });

  it('follows new events, and ends when the token is revoked', async () => {
    const own = await tokenOf(user, 'read');
    const { output, notes, ended } = run(
      ['events', '--follow', '--project', 'Shop', '--query', 'followed', '--json'],
      {
        environment: { ...environment, TOCSIN_TOKEN: own.token },
      },
    );
    for (let count = 1; count <= 3; count++) {
      await capture({ message: `followed ${count}` });
      await waitFor(`${count} lines`, () => output.length >= count);
    }
    await user.api.delete(`/tokens/${own.id}`);
    expect(await ended).toMatchObject({ exitCode: 3 });
    expect(output.map((line) => JSON.parse(line).message)).toEqual([
      'followed 1',
      'followed 2',
      'followed 3',
    ]);
    expect(notes).toEqual([]);
  });

  it('prints each event once across lost connections', async () => {
    const own = await tokenOf(user, 'read');
    const proxy = await startServiceProxy(service.managementUrl);
    const argv = ['events', '--follow', '--query', 'lasting', '--json'];
    const { output, notes, ended } = run(argv, {
      environment: { TOCSIN_URL: proxy.url, TOCSIN_TOKEN: own.token },
    });
    const sent: string[] = [];
    const send = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const message = `lasting ${sent.length}`;
        await capture({ message });
        sent.push(message);
      }
    };
    await send(3);
    await waitFor('the first events', () => output.length >= 3);
    proxy.refuse();
    await send(600);
    await waitFor('the note about the connection', () => notes.length === 1);
    proxy.restore();
    await waitFor('the events of the meantime', () => output.length >= sent.length);
    proxy.cut();
    await send(3);
    await waitFor('the last events', () => output.length >= sent.length);
    await user.api.delete(`/tokens/${own.id}`);
    await ended;
    const printed = output.map((line) => JSON.parse(line).message as string);
    expect(printed).toHaveLength(sent.length);
    expect(new Set(printed)).toEqual(new Set(sent));
    expect(notes[0]).toContain('cannot be reached');
    expect(notes).toContain('Connected again.');
  });
});

describe('tocsin incidents', () => {
  it('lists incidents, takes one and resolves it with a note', async () => {
    const id = await user.openIncident(project.id, { title: 'Checkout fails' });
    const [head = '', row = ''] = await print([
      'incidents',
      'list',
      '--status',
      'open',
      '--query',
      'checkout fails',
    ]);
    expect(head).toMatch(/^ID +OPENED +STATUS +SEVERITY +PROJECT +TITLE$/);
    expect(row).toContain('Shop');
    expect(row).toMatch(/Checkout fails$/);
    await print(['incidents', 'investigate', id]);
    expect((await user.api.get(`/incidents/${id}`)).body.status).toBe('investigating');
    const said = await print(['incidents', 'resolve', id, '--note', 'Rolled back\n\u009b31mred']);
    expect(said.join('\n')).toContain('Ada: Rolled back\n      \\x9b31mred');
    expect(said.at(-1)).toContain('status: resolved');
    expect(await failure(['incidents', 'investigate', id])).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('409'),
    });
    const [json = ''] = await print(['incidents', 'show', id, '--json']);
    expect(JSON.parse(json)).toMatchObject({ id, status: 'resolved' });
    expect(await failure(['incidents', 'show', '../projects'])).toMatchObject({ exitCode: 4 });
  });
});

describe('tocsin silence', () => {
  it('starts a silence, lists it and ends it', async () => {
    const start = ['silence', 'start', '--project', project.id, '--type', 'rare', '--for', '30m'];
    const [line = ''] = await print([...start, '--reason', 'Load test', '--no-learn', '--json']);
    const { id, until, learn } = JSON.parse(line);
    expect(learn).toBe(false);
    expect(Date.parse(until)).toBeGreaterThan(service.context.clock.now());
    expect((await print(['silence'])).join(' ')).toMatch(
      new RegExp(`${id} +active .* 0 +${project.id} rare +Load test`),
    );
    expect(await print(['silence', 'end', id])).toEqual([
      expect.stringMatching(new RegExp(`^${id}  ended .*: Load test$`)),
      `about ${project.id} rare; matched 0; nothing is learned`,
    ]);
    expect(await print(['silence'])).toEqual(['There are no such silences.']);
  });
});

describe('tocsin groups', () => {
  it('lists groups, shows one by its key, mutes and resolves it', async () => {
    await capture({ type: 'nightly', message: 'The nightly job failed' });
    await service.settled();
    const [line = ''] = await print(['groups', '--query', 'nightly', '--json']);
    const { key } = JSON.parse(line);
    const shown = await print(['groups', 'show', key.toLowerCase()]);
    expect(shown[0]).toBe(`${key}  The nightly job failed`);
    const muted = await print(['groups', 'mute', key, '--for', '4h']);
    expect(muted.join('\n')).toMatch(/^muted,[^]*muted until \d/m);
    expect(await print(['groups', '--query', 'nightly'])).toEqual(['There are no such groups.']);
    const resolved = await print(['groups', 'resolve', key]);
    expect(resolved[1]).toMatch(/^resolved, error/);
    expect(await failure(['groups', 'show', 'SHOP-999999'])).toMatchObject({ exitCode: 4 });
  });
});

describe('tocsin --help', () => {
  it('lists the commands of the operator and those of a client separately', async () => {
    const help = (await createProgram({})).helpInformation();
    const sections = help.split(/\n(?=\S)/).map((section) => section.split('\n', 1)[0]);
    expect(sections).toEqual(expect.arrayContaining(['Run the service:', 'Use a running service:']));
    const part = (name: string) => help.slice(help.indexOf(name)).split('\n\n', 1)[0] ?? '';
    for (const command of ['start', 'migrate', 'backup', 'restore'])
      expect(part('Run the service:')).toContain(`  ${command} `);
    for (const command of ['login', 'logout', 'events', 'incidents', 'groups', 'send'])
      expect(part('Use a running service:')).toContain(`  ${command} `);
  });
});
