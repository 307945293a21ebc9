import { describe, expect, it } from 'vitest';
import type { ListedEvent } from '../listed-event.ts';
import { enqueue, flush, MAX_INCOMING, NO_INCOMING, sinceOf } from './incoming.ts';

const START_MS = Date.parse('2026-11-21T09:30:00.000Z');

/** Returns the event of a second; later ones have greater ids. */
function eventAt(second: number, receivedSecond = second): ListedEvent {
  return {
    id: `evt_${String(second).padStart(6, '0')}`,
    type: 'checkout',
    severity: 'info',
    source: null,
    message: '',
    correlationId: '',
    fingerprint: '',
    projectId: 'proj_1',
    capturedAt: new Date(START_MS + second * 1_000).toISOString(),
    receivedAt: new Date(START_MS + receivedSecond * 1_000).toISOString(),
    weight: 1,
    whole: null,
  };
}
const events = (...seconds: number[]) => seconds.map((second) => eventAt(second));
const flowing = { known: [], paused: false, omitted: 0 };
const held = { ...flowing, paused: true };

describe('what arrives', () => {
  it('shows incoming events on top, newest first, whatever their order', () => {
    const first = enqueue(NO_INCOMING, events(3, 1), flowing);
    expect(enqueue(first, events(2, 4), flowing).shown).toEqual(events(4, 3, 2, 1));
  });

  it('keeps events waiting while the list is paused, until it is flushed', () => {
    const before = enqueue(NO_INCOMING, events(1), flowing);
    const waiting = enqueue(before, events(2, 3), held);
    expect(waiting).toMatchObject({ shown: events(1), waiting: events(3, 2) });
    expect(flush(waiting)).toMatchObject({ shown: events(3, 2, 1), waiting: [] });
  });

  it('adds an incoming event once, whether it arrives by the live tail or a poll', () => {
    const listed = { ...held, known: events(1) };
    const waiting = enqueue(NO_INCOMING, events(2, 2, 1), listed);
    expect(waiting.waiting).toEqual(events(2));
    expect(enqueue(waiting, events(1, 2), listed)).toBe(waiting);
    expect(enqueue(flush(waiting), events(2), listed).waiting).toEqual([]);
  });

  it('bounds the incoming events, and counts the dropped ones', () => {
    const many = Array.from({ length: MAX_INCOMING + 10 }, (_, second) => eventAt(second));
    const full = enqueue(NO_INCOMING, many, { ...flowing, omitted: 5 });
    expect(full.shown).toHaveLength(MAX_INCOMING);
    expect(full.shown[0]).toEqual(many.at(-1));
    expect(full.omitted).toBe(15);
    const waiting = enqueue(full, [eventAt(5_000)], held);
    expect(flush(waiting)).toMatchObject({ omitted: 16, waiting: [] });
  });
});

describe('the time from which new events are polled', () => {
  it('asks for new events from a little before the newest, since an event may be stored late', () => {
    expect(sinceOf(events(60, 30))).toBe(new Date(START_MS + 55_000).toISOString());
  });

  it('ignores an application whose clock is ahead when it asks for new events', () => {
    expect(sinceOf([eventAt(600, 60), eventAt(59)])).toBe(new Date(START_MS + 55_000).toISOString());
  });

  it('returns no time to poll from while there is no event', () => {
    expect(sinceOf([])).toBeNull();
  });
});
