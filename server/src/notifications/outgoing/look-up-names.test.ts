import { expect, it } from 'vitest';
import { type NameServer, startNameServer } from '../../../test/support/name-server.ts';
import { scaled } from '../../../test/support/time-scale.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { lookUpBySystem } from '../../platform/system-lookup.ts';
import { AddressRules } from './address-rules.ts';
import { createResolve, LookupError } from './look-up-names.ts';
import { resolveChecked } from './resolve.ts';

const [ACME, OTHER] = ['018e4a3b-0000-7000-8000-000000000001', '018e4a3b-0000-7000-8000-000000000002'];

/** Time after which a silent name server is given up. */
const SILENT_MS = 300;

/** Look-ups by a name server, on a clock that stands still. */
function lookUpBy(server: NameServer, { allow = [] as string[], timeoutMs = scaled(15_000) } = {}) {
  const clock = { nowMs: 0 };
  const rules = new AddressRules(allow);
  const resolve = createResolve({
    rules,
    nameServers: [server.address],
    monotonicMs: () => clock.nowMs,
    lookUpBySystem,
    timeoutMs,
  });
  const lookUp = (host: string, organizationId = ACME, signal = AbortSignal.timeout(scaled(15_000))) =>
    resolve(host, { organizationId, signal });
  return { lookUp, resolve, rules, clock };
}

const failureOf = (work: Promise<unknown>): Promise<LookupError> =>
  work.then(
    () => {
      throw new Error('The name was resolved.');
    },
    (error: unknown) => {
      if (!(error instanceof LookupError)) throw error;
      return error;
    },
  );

it('looks up names of users by the name servers alone, for both kinds of addresses', async () => {
  const server = await startNameServer({
    'both.example': { ipv4: ['203.0.113.1', '203.0.113.2'], ipv6: ['2001:db8::1'] },
    'new.example': { ipv6: ['2606:4700::6810:1'] },
    'old.example': { ipv4: ['203.0.113.7'] },
  });
  const { lookUp } = lookUpBy(server);
  expect(await lookUp('both.example')).toEqual([
    { address: '203.0.113.1', family: 4 },
    { address: '203.0.113.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  expect(await lookUp('new.example')).toEqual([{ address: '2606:4700::6810:1', family: 6 }]);
  expect(await lookUp('old.example')).toEqual([{ address: '203.0.113.7', family: 4 }]);
  // The hosts file of every machine has it.
  expect((await failureOf(lookUp('localhost'))).message).toContain('ENOTFOUND');
});

it('looks up names in OUTBOUND_ALLOW by the system, with its hosts file', async () => {
  const server = await startNameServer({});
  const { lookUp } = lookUpBy(server, { allow: ['localhost'] });
  const addresses = await lookUp('localhost');
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  expect(server.asked).toEqual([]);
});

it.each([
  ['IPv4', { ipv4: ['203.0.113.1', '10.0.0.1'] }],
  ['IPv6', { ipv6: ['2606:4700::6810:1', 'fe80::1'] }],
  ['IPv4 that an IPv6 address wraps', { ipv6: ['::ffff:7f00:1'] }],
  ['IPv6 beside a public IPv4', { ipv4: ['203.0.113.1'], ipv6: ['fd00::1'] }],
])('refuses a name if one of its addresses is private: %s', async (_, answer) => {
  const server = await startNameServer({ 'inner.example': answer });
  const { resolve, rules } = lookUpBy(server);
  const asker = { organizationId: ACME, signal: AbortSignal.timeout(scaled(15_000)) };
  await expect(resolveChecked('inner.example', { rules, resolve, asker })).rejects.toThrow(
    'not in the public internet',
  );
});

it('remembers a name that does not exist for half a minute', async () => {
  const server = await startNameServer({});
  const { lookUp, clock } = lookUpBy(server);
  const first = await failureOf(lookUp('gone.example'));
  expect(first).toMatchObject({ isOwnFault: false, message: expect.stringContaining('ENOTFOUND') });
  const { length } = server.asked;
  clock.nowMs = 29_999;
  expect(await failureOf(lookUp('gone.example', OTHER))).toBe(first);
  expect(server.asked).toHaveLength(length);
  clock.nowMs = 30_000;
  server.answers.set('gone.example', { ipv4: ['203.0.113.1'] });
  expect(await lookUp('gone.example')).toEqual([{ address: '203.0.113.1', family: 4 }]);
});

it('gives an organization two look-ups at a time, and others theirs beside them', async () => {
  const server = await startNameServer({
    'silent-1.example': 'silence',
    'silent-2.example': 'silence',
    'quick.example': { ipv4: ['203.0.113.1'] },
  });
  const { lookUp } = lookUpBy(server, { timeoutMs: SILENT_MS });
  const silent = ['silent-1.example', 'silent-2.example'].map((name) => failureOf(lookUp(name)));
  await waitFor('both questions', () => new Set(server.asked).size === 2);
  const own = lookUp('quick.example');
  expect(await lookUp('quick.example', OTHER)).toHaveLength(1);
  const quick = server.asked.filter((name) => name === 'quick.example').length;
  expect(quick).toBe(2);
  for (const failure of await Promise.all(silent))
    expect(failure).toMatchObject({ isOwnFault: false, message: expect.stringContaining('ETIMEOUT') });
  expect(await own).toHaveLength(1);
});

it('ends a look-up with the request that it is for', async () => {
  const server = await startNameServer({ 'silent.example': 'silence' });
  const { lookUp } = lookUpBy(server);
  const limit = new AbortController();
  const waiting = lookUp('silent.example', ACME, limit.signal);
  await waitFor('a question', () => server.asked.length > 0);
  limit.abort(new Error('The request is over.'));
  await expect(waiting).rejects.toThrow('The request is over.');
});

it('reports its own fault while no name server answers, and no longer once they are back', async () => {
  const server = await startNameServer({
    'chat.example': { ipv4: ['203.0.113.1'] },
    'ill.example': 'failure',
  });
  const { lookUp } = lookUpBy(server, { timeoutMs: SILENT_MS });
  expect(await failureOf(lookUp('ill.example'))).toMatchObject({ isOwnFault: false });
  server.isSilent = true;
  expect(await failureOf(lookUp('chat.example'))).toMatchObject({ isOwnFault: true });
  server.isSilent = false;
  expect(await lookUp('chat.example')).toHaveLength(1);
});
