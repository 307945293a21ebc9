import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_REQUEST_CHARACTERS, MAX_REQUEST_EVENTS } from '../intake/limits.ts';
import { OverQuota } from '../quotas/over-quota.ts';
import { encodeContent, limitContent } from './encode-content.ts';
import { readEnvelope } from './read-envelope.ts';
import { readItems, readReports } from './read-items.ts';

const NOW = Date.UTC(2026, 10, 27);
const PROJECT = '0190a000-0000-7000-8000-000000000000';
const SERVER = { projectId: PROJECT, browser: null };
const LIST_OF_10_000 = `[${'{},'.repeat(9_999)}{}]`;

const encode = (body: string) => encodeContent(readItems(readEnvelope(Buffer.from(body)), NOW), SERVER, NOW);
const itemsOf = (type: string, payload: string, count: number) =>
  Array.from({ length: count }, () => `{"type":"${type}"}\n${payload}`).join('\n');

describe('encodeContent', () => {
  it('makes 10,000 events of an envelope with a million records of logs, and counts the others', async () => {
    const { texts, unstored } = await encode(`{}\n${itemsOf('log', `{"items":${LIST_OF_10_000}}`, 100)}`);
    expect(texts).toHaveLength(MAX_REQUEST_EVENTS);
    expect(new Set(unstored.map(({ kind, reason }) => `${kind} ${reason}`))).toEqual(
      new Set(['log_item over_limit']),
    );
    expect(unstored.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(990_000);
  });

  it('reads what follows the events of an envelope that it leaves out', async () => {
    const checkIn = '{"type":"check_in"}\n{"monitor_slug":"nightly","status":"ok"}';
    const tooMany = itemsOf('log', `{"items":${LIST_OF_10_000}}`, 2);
    const { checkIns, unstored, eventId } = await encode(
      `{}\n${tooMany}\n{"type":"event"}\n{"event_id":"${'a'.repeat(32)}"}\n${checkIn}`,
    );
    expect(checkIns).toMatchObject([{ slug: 'nightly', status: 'ok' }]);
    expect(unstored).toEqual([
      { kind: 'log_item', reason: 'over_limit', quantity: 10_000 },
      { kind: 'error', reason: 'over_limit', quantity: 1 },
    ]);
    expect(eventId).toBe('a'.repeat(32));
  });

  it('makes no further events of an envelope once they are long together', async () => {
    // Each character takes six in a text.
    const long = JSON.stringify({ message: 'm', extra: { long: '\u0001'.repeat(170_000) } });
    const { texts, unstored } = await encode(`{}\n${itemsOf('event', long, 60)}`);
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    expect(characters).toBeGreaterThanOrEqual(MAX_REQUEST_CHARACTERS);
    expect(characters - (texts[0]?.length ?? 0)).toBeLessThan(MAX_REQUEST_CHARACTERS);
    expect(unstored.map(({ quantity }) => quantity)).toEqual(
      Array.from({ length: 60 - texts.length }, () => 1),
    );
  });

  it('lets other work happen between the records of one item', async () => {
    let turns = 0;
    let isDone = false;
    const encoded = encode(`{}\n${itemsOf('log', `{"items":${LIST_OF_10_000}}`, 1)}`);
    void encoded.then(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    expect(turns).toBeGreaterThan(20);
  });

  it('makes an event of each record of a log, however many values they have together', async () => {
    const record = JSON.stringify({
      body: 'm',
      attributes: Object.fromEntries(range(600, (key) => [key, 1])),
    });
    const { texts, unstored } = await encode(
      `{}\n{"type":"log"}\n{"items":[${range(100, () => record).join()}]}`,
    );
    expect([texts.length, unstored]).toEqual([100, []]);
    expect(texts.filter((text) => text.includes('"changed"'))).toEqual([]);
  });

  it('reads the other items of an envelope if one cannot be read, and counts it', async () => {
    const { texts, checkIns, unstored, refusal } = await encode(
      [
        '{}',
        '{"type":"check_in"}\n{"monitor_slug":"nightly","status":"unknown"}',
        '{"type":"feedback"}\nIt broke',
        `{"type":"log","item_count":100}\n{"items":[${range(100, () => JSON.stringify('x'.repeat(11_000))).join()}]}`,
        '{"type":"log"}\n{"items":[{"body":"kept"},1,null]}',
        '{"type":"event"}\n{"message":"kept"}',
        '{"type":"check_in"}\n{"monitor_slug":"nightly","status":"ok"}',
        '{"type":"client_report"}\n[]',
      ].join('\n'),
    );
    expect([texts.length, checkIns.length]).toEqual([2, 1]);
    expect(unstored).toEqual([
      { kind: 'monitor', reason: 'unreadable', quantity: 1 },
      { kind: 'feedback', reason: 'unreadable', quantity: 1 },
      { kind: 'log_item', reason: 'too_large', quantity: 100 },
      { kind: 'log_item', reason: 'unreadable', quantity: 2 },
      { kind: 'other', reason: 'unreadable', quantity: 1 },
    ]);
    expect(refusal?.message).toMatch(/status of a check-in/);
  });

  it('leaves out the events of an envelope that a quota refuses, and counts them by kind', async () => {
    const content = await encode(
      `{}\n{"type":"log"}\n{"items":[{},{}]}\n{"type":"event"}\n{"event_id":"${'a'.repeat(32)}"}`,
    );
    const refusal = new OverQuota({ scope: 'key', name: 'perHour', events: 1, endMs: NOW + 60_000 }, NOW);
    expect(limitContent(content, { events: 3, refusal: null })).toEqual(content);
    const { texts, firstId, unstored } = limitContent(content, { events: 1, refusal });
    expect([texts, firstId]).toEqual([content.texts.slice(0, 1), content.firstId]);
    expect(unstored).toEqual(
      ['log_item', 'error'].map((kind) => ({ kind, reason: 'over_quota', quantity: 1 })),
    );
    expect(limitContent(content, { events: 0, refusal })).toMatchObject({
      texts: [],
      firstId: null,
      refusal,
    });
  });

  it('bounds the reports of a browser as other events', async () => {
    const reports = Buffer.from(LIST_OF_10_000.replace(/\]$/, ',{"type":"csp-violation"}]'));
    const { texts, unstored } = await encodeContent(readReports(reports), SERVER, NOW);
    expect(texts).toHaveLength(MAX_REQUEST_EVENTS);
    expect(unstored).toEqual([{ kind: 'security', reason: 'over_limit', quantity: 1 }]);
  });
});

function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
