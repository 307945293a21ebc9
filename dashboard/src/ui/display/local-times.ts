import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';

/**
 * The times in a sentence of the service: "03:00 UTC", "Mon 03:00 UTC", "3 Nov 03:00 UTC", "Mondays at 03:00 UTC". A range of
 * dates stays in UTC, which it names once for both: "2026-11-03 03:00 to 2026-11-04 05:00 UTC".
 */
const TIME =
  /(?<!\d-\d\d )\b(?:(?<weekday>Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?<usual>[a-z]*days at)? |(?<date>\d{1,2} [A-Z][a-z]{2}) )?(?<clock>\d{2}:\d{2}) UTC\b/g;
/** What people or their applications have written stays as it is. */
const QUOTED = /(“[^”]*”)/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A part of a sentence; of a time also what stands in its place in the sentence. */
export interface SentencePart {
  text: string;
  utc: string | null;
}

/** When a sentence is read. */
export interface Reading {
  nowMs: number;
  /** When it was written: a time of day is the last one before that. Missing: now. */
  writtenMs?: number | undefined;
}

/** A time of day alone is of today, and not long ago. */
const MAX_CLOCK_MS = 12 * HOUR_MS;
/** Days of the week come again after seven. */
const MAX_WEEKDAY_MS = 6 * DAY_MS;

/**
 * Splits a sentence at its times, which are given in the reader's own zone: with the day where that is another one or half
 * a day has passed.
 * @param timeZone the one that the reader has chosen unless it is given
 */
export function splitTimes(
  sentence: string,
  reading: Reading,
  timeZone: string | undefined = TIME_ZONE,
): SentencePart[] {
  return sentence.split(QUOTED).flatMap((part, index) => {
    if (index % 2 === 1) return [{ text: part, utc: null }];
    const parts: SentencePart[] = [];
    let end = 0;
    for (const match of part.matchAll(TIME)) {
      const local = toLocal(match.groups ?? {}, reading, timeZone);
      if (local === null) continue;
      parts.push({ text: part.slice(end, match.index), utc: null }, { text: local, utc: match[0] });
      end = match.index + match[0].length;
    }
    return [...parts, { text: part.slice(end), utc: null }].filter(({ text }) => text !== '');
  });
}

/** The same as plain text, for notifications of the browser. */
export function localizeTimes(
  sentence: string,
  nowMs: number,
  timeZone: string | undefined = TIME_ZONE,
): string {
  return splitTimes(sentence, { nowMs }, timeZone)
    .map(({ text }) => text)
    .join('');
}

function toLocal(
  { weekday, usual, date, clock = '' }: Record<string, string | undefined>,
  { nowMs, writtenMs = nowMs }: Reading,
  timeZone: string | undefined,
): string | null {
  const today = new Date(writtenMs).toISOString().slice(0, 10);
  let atMs = date
    ? Date.parse(`${date} ${today.slice(0, 4)} ${clock} UTC`)
    : Date.parse(`${today}T${clock}:00.000Z`);
  // Neither an hour of 99 nor a month of "Foo" is a time.
  if (Number.isNaN(atMs)) return null;
  if (date && atMs > writtenMs) atMs = Date.parse(`${date} ${Number(today.slice(0, 4)) - 1} ${clock} UTC`);
  if (!date && atMs > writtenMs) atMs -= DAY_MS;
  while (weekday && WEEKDAYS[new Date(atMs).getUTCDay()] !== weekday) atMs -= DAY_MS;
  const format = (options: Intl.DateTimeFormatOptions, ms = atMs) =>
    new Date(ms).toLocaleString('en-GB', { ...options, ...(timeZone && { timeZone }) });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (usual) return `${format({ weekday: 'long' })}s at ${time}`;
  const agoMs = nowMs - atMs;
  if (date || agoMs >= MAX_WEEKDAY_MS) return `${format({ day: 'numeric', month: 'short' })} ${time}`;
  const isOtherDay = format({ dateStyle: 'short' }) !== format({ dateStyle: 'short' }, nowMs);
  return weekday || isOtherDay || agoMs >= MAX_CLOCK_MS ? `${format({ weekday: 'short' })} ${time}` : time;
}
