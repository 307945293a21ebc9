import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../support/median.ts';
import { ROOT } from '../support/root.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const EVENTS = 2_000;
/** Turns before the first round, in which the code is compiled. */
const WARM_UP_TURNS = 50;

/** The event of the other parts with three secrets: 318 bytes. */
const WITH_SECRETS = JSON.stringify({
  ...JSON.parse(EVENT),
  message: `GET https://shop.example/pay?access_token=${'a1b2c3d4'.repeat(2)} failed`,
  payload: { amount: 4200, password: 'hunter2x', headers: { authorization: `Bearer ${'0a1b2c'.repeat(5)}` } },
});

/** The function that replaces secrets, as it is built into the program: on events of both kinds in turn. */
export async function measureScrubbing({ rounds, log }: Options): Promise<Row[]> {
  const built = pathToFileURL(path.join(ROOT, 'server/dist/scrubbing/scrub.js')).href;
  const { scrub } = (await import(built)) as { scrub: (fields: object) => unknown };
  const kinds = [EVENT, WITH_SECRETS].map((text) => ({
    bytes: text.length,
    events: Array.from({ length: EVENTS }, () => JSON.parse(text) as object),
    micros: [] as number[],
  }));
  const turn = (events: object[]) => {
    const startedAt = performance.now();
    for (const event of events) scrub(event);
    return ((performance.now() - startedAt) * 1_000) / events.length;
  };
  for (const { events } of kinds) for (let done = 0; done < WARM_UP_TURNS; done++) turn(events);
  for (let round = 0; round < rounds * 10; round++)
    for (const { events, micros } of kinds) micros.push(turn(events));
  const [without, withSecrets] = kinds.map(({ bytes, micros }) => ({ bytes, value: median(micros) }));
  log(
    `scrubbing: ${without?.value.toFixed(2)} µs without secrets, ${withSecrets?.value.toFixed(2)} µs with three`,
  );
  const detail = `median of ${rounds * 10} turns of ${EVENTS} events`;
  return [
    {
      what: `Looking for secrets in an event of ${without?.bytes} bytes that has none`,
      value: without?.value ?? Number.NaN,
      unit: 'µs',
      bar: { atMost: 1.5 },
      detail,
    },
    {
      what: `… of ${withSecrets?.bytes} bytes with three, which are replaced`,
      value: withSecrets?.value ?? Number.NaN,
      unit: 'µs',
      bar: { atMost: 10 },
      detail,
    },
  ];
}
