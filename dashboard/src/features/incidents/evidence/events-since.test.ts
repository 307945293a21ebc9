import { expect, it } from 'vitest';
import { splitLate } from './events-since.ts';

const evidence = { from: '2026-11-21T12:00:30.000Z', rule: 'rise' } as const;
const at = (time: string) => ({ capturedAt: `2026-11-21T${time}.000Z` });

it('sets events aside that were captured before the incident began', () => {
  const events = [at('12:04:00'), at('12:00:10'), at('11:59:59'), at('09:00:00')];
  expect(splitLate(events, evidence)).toEqual({ events: events.slice(0, 2), late: 2 });
});

it('keeps all events of a source that is always late, and those before something missing', () => {
  const late = [at('11:10:00'), at('11:09:00')];
  expect(splitLate(late, evidence)).toEqual({ events: late, late: 0 });
  expect(splitLate([at('12:04:00'), ...late], { ...evidence, rule: 'drop' }).events).toHaveLength(3);
});
