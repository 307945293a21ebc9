import type { Random } from '@tocsin/simulation/random';
import { ApiClient } from '../support/client.ts';
import { middleOf } from '../support/clock.ts';
import { clientOf, signUpAt } from '../support/exactly-once.ts';
import type { RunningProgram } from '../support/program.ts';
import type { KilledPair } from './killed-pair.ts';
import { type SentEvent, SentEvents } from './sent-events.ts';

const HOUR_MS = 60 * 60_000;
/** In an hour that is over the time for which the site keeps its events. */
const OLD_MS = middleOf(HOUR_MS) - 48 * HOUR_MS;
/** Type of the events that the database refuses by turns. */
export const REFUSED = 'refused';

/** Projects that are worked on: two of an organization, and one of another. */
export interface KillWork {
  /** Keeps samples of storms; one of its keys has a quota. */
  shop: SentEvents;
  /** Keeps events of severity INFO for a day. */
  site: SentEvents;
  /** Is sent the same, and neither keeps less nor erases. */
  neighbour: SentEvents;
  limitedKey: string;
  cookies: { owner: string | null; neighbour: string | null };
  random: Random;
  /** Number of the round. Each has a user of its own. */
  round: number;
  /** Users for whom an erasure was requested. */
  erased: Set<string>;
}

export async function setUpWork(program: RunningProgram, random: Random): Promise<KillWork> {
  const { api, project: shop } = await signUpAt(program);
  const eve = new ApiClient(program.managementUrl);
  await expectStatus(
    201,
    eve.post('/auth/signup', { name: 'Eve', email: 'e@example.com', password: 'a long password' }),
  );
  const create = (client: ApiClient, name: string) => expectStatus(201, client.post('/projects', { name }));
  const [site, neighbour] = [await create(api, 'Site'), await create(eve, 'Shop')];
  const key = await expectStatus(201, api.post(`/projects/${shop.id}/api-keys`, {}));
  await expectStatus(200, api.patch(`/projects/${shop.id}`, { sampleAbove: 100 }));
  await expectStatus(200, api.patch(`/projects/${site.id}`, { retention: { info: 1 } }));
  await expectStatus(200, api.patch(`/api-keys/${key.id}/quota`, { per5Minutes: 20 }));
  return {
    shop: new SentEvents(shop),
    site: new SentEvents(site),
    neighbour: new SentEvents(neighbour),
    limitedKey: key.rawKey,
    cookies: { owner: api.cookie, neighbour: eve.cookie },
    random,
    round: 0,
    erased: new Set(),
  };
}

async function expectStatus(expected: number, answer: ReturnType<ApiClient['get']>) {
  const { status, body } = await answer;
  if (status !== expected) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Sends to all projects: a storm, events of users, old ones, some that are refused, and repeats. */
export function startSenders(pair: KilledPair, work: KillWork): void {
  const { shop, site, neighbour, limitedKey } = work;
  for (const account of [shop, site, neighbour]) {
    pair.work((program) => account.send(program, drawEvents(work)));
    pair.work((program, turn) => account.sendOnce(program, anEvent(), `${turn >> 1}`));
  }
  pair.work((program) => shop.send(program, [anEvent(), anEvent()], limitedKey));
}

/** Replays and discards dead letters, erases users, and deletes projects while they are sent events. */
export function startChanges(pair: KilledPair, work: KillWork): void {
  const { shop, site, cookies, erased, random } = work;
  pair.work(async (program, turn) => {
    const api = clientOf(program, cookies.owner);
    const letters = `/projects/${(turn % 2 === 0 ? shop : site).projectId}/dead-letters`;
    if (random.uniform() < 1 / 2) await api.post(`${letters}/replay`);
    else await api.delete(letters);
  });
  let requested = 0;
  pair.work(async (program) => {
    // Replays wait for erasures: they have the even rounds.
    if (work.round % 2 === 0 || work.round === requested) return;
    const { round } = work;
    const user = userOf(round - 1);
    erased.add(user);
    const api = clientOf(program, cookies.owner);
    const { status } = await api.post('/erasures', { key: 'user_id', value: user });
    if (status === 201) requested = round;
  });
  let last = -1;
  pair.work(async (program) => {
    if (last === work.round) return;
    last = work.round;
    const api = clientOf(program, cookies.owner);
    const { status, body } = await api.post('/projects', { name: 'Old shop' });
    if (status !== 201) return;
    const deleted = new SentEvents(body);
    const send = () => deleted.send(program, drawEvents(work));
    await send();
    await Promise.all([send(), api.delete(`/projects/${body.id}`), send()]);
  });
}

const anEvent = (changes: Partial<SentEvent> = {}): SentEvent => ({
  type: 'storm',
  severity: 'ERROR',
  message: 'Order was not paid',
  ...changes,
});

const userOf = (round: number) => `usr_of_round_${round}`;

function drawEvents({ random, round }: KillWork): SentEvent[] {
  const correlation = { user_id: userOf(round) };
  const message = `Part ${Math.floor(random.uniform() * 20)} failed`;
  const capturedAt = new Date(OLD_MS - Math.floor(random.uniform() * 3) * HOUR_MS).toISOString();
  const old = anEvent({ type: 'old', severity: 'INFO', capturedAt });
  return [
    ...Array<SentEvent>(4).fill(anEvent()),
    ...Array<SentEvent>(4).fill(anEvent({ type: 'users', message, correlation })),
    ...Array<SentEvent>(4).fill(old),
    ...(random.uniform() < 1 / 4 ? [anEvent({ type: REFUSED, correlation })] : []),
  ];
}

/** True if an event of a project may have been removed or discarded. */
export function mayLeave(
  { site, neighbour, erased }: KillWork,
  account: SentEvents,
  event: SentEvent,
): boolean {
  if (account === neighbour) return false;
  return (
    event.type === REFUSED ||
    (account === site && event.capturedAt !== undefined) ||
    (event.correlation !== undefined && erased.has(event.correlation.user_id))
  );
}
