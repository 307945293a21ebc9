import { expect, it } from 'vitest';
import { readAll } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const MINUTE_MS = 60_000;
const EVENTS = 1_000;
/** Events that the samples stand for: the last one is the last of 16. */
const WEIGHED = 992;
const KEPT = 100 + 50 + 50 + 50 + 12;

const service = await startTestService();
const user = await service.signUp();
const project = await user.createProject();
await user.api.patch(`/projects/${project.id}`, { sampleAbove: 100 });
// One body is stored by one statement, so in one hour.
const storm = Array.from({ length: EVENTS }, (_, index) => ({
  type: 'crash',
  severity: 'CRITICAL',
  source: 'loop',
  message: 'The worker crashed',
  release: '2.0',
  correlation: { user_id: `usr_${index}`, host: 'web-1' },
}));
expect((await project.ingest.post('/ingest/bulk', storm)).status).toBe(202);
await service.settled();
const read = async (path: string) => (await user.api.get(path)).body;
const of = `project_id=${project.id}`;
/** Whole minutes: counts answer for these alone. */
const minuteMs = Math.floor(service.context.clock.now() / MINUTE_MS) * MINUTE_MS;
const at = (ms: number) => new Date(minuteMs + ms).toISOString();
const inMinutes = `${of}&from=${at(-10 * MINUTE_MS - 1)}&to=${at(10 * MINUTE_MS)}`;

it('lists the events that were kept, each with its weight', async () => {
  const events = await readAll(user.api, `/events?${of}&limit=100`);
  expect(events).toHaveLength(KEPT);
  const weights = events.map(({ weight }) => weight as number);
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(WEIGHED);
  expect([...new Set(weights)].toSorted((left, right) => left - right)).toEqual([1, 2, 4, 8, 16]);
  const heaviest = events.find(({ weight }) => weight === 16);
  expect((await read(`/events/${heaviest?.id}`)).weight).toBe(16);
  const lines: string = await read(`/events/export?${of}&format=csv`);
  expect(lines.split('\r\n').filter((line) => line.endsWith(',16'))).toHaveLength(12);
});

it('counts each event of a storm in charts and frequent values that come from counts', async () => {
  const buckets: { critical: number }[] = await read(`/events/histogram?${inMinutes}&type=crash`);
  expect(buckets.reduce((sum, { critical }) => sum + critical, 0)).toBe(EVENTS);
  for (const by of ['type', 'source', 'fingerprint'])
    expect(await read(`/events/top?${inMinutes}&by=${by}`)).toMatchObject([{ count: EVENTS }]);
  const [group] = await read(`/groups?${of}`);
  expect(group).toMatchObject({ count: EVENTS, users: EVENTS });
  expect(await read(`/releases?${of}`)).toMatchObject([{ version: '2.0', events: EVENTS }]);
});

it('adds up weights where no count answers', async () => {
  const words = `${of}&q=crashed`;
  const buckets: { critical: number }[] = await read(`/events/histogram?${words}`);
  expect(buckets.reduce((sum, { critical }) => sum + critical, 0)).toBe(WEIGHED);
  for (const by of ['type', 'source', 'fingerprint'])
    expect(await read(`/events/top?${words}&by=${by}`)).toMatchObject([{ count: WEIGHED }]);
  expect(await read(`/events/correlation-keys?${of}&correlation=web-1`)).toMatchObject([
    { key: 'host', count: WEIGHED },
  ]);
});

it('counts the events and the users of an incident exactly', async () => {
  const { id } = await user.firstIncident(project.id);
  const incident = await waitFor('the incident to count all events', async () => {
    const body = await read(`/incidents/${id}`);
    return body.eventCount === EVENTS && body;
  });
  expect(incident.facts.users).toEqual({ count: EVENTS, isExact: true });
  expect(await read(`/incidents/${id}/groups`)).toMatchObject([
    { count: EVENTS, users: EVENTS, usersExact: true, readEvents: KEPT },
  ]);
});
