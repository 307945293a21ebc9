import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';

/**
 * Times in a sentence of the service: "03:00 UTC", "Mon 03:00 UTC", "3 Nov 03:00 UTC", "Mondays at 03:00 UTC". A range of
 * dates stays in UTC, which it names once: "2026-11-03 03:00 to 2026-11-04 05:00 UTC".
 */
const TIME =
  /(?<!\d-\d\d )\b(?:(?<weekday>Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?<usual>[a-z]*days at)? |(?<date>\d{1,2} [A-Z][a-z]{2}) )?(?<clock>\d{2}:\d{2}) UTC\b/g;
/** Quoted texts of people and applications, which stay unchanged. */
const QUOTED = /(“[^”]*”)/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A part of a sentence: text, or a time with its original wording. */
export interface SentencePart {
  text: string;
  utc: string | null;
}

/** Times of reading and writing a sentence. */
export interface Reading {
  nowMs: number;
  /** Time of writing, by default now: a time of day is the last one before it. */
  writtenMs?: number | undefined;
}

/** Maximum age of a time shown without its day. */
const MAX_CLOCK_MS = 12 * HOUR_MS;
/** Maximum age of a time shown with its day of the week, which repeats after seven days. */
const MAX_WEEKDAY_MS = 6 * DAY_MS;

/**
 * Splits a sentence at its times, which are converted to the reader's time zone, with the day if that differs or half
 * a day has passed.
 * @param timeZone by default the reader's choice
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

/** Converts the times of a sentence in plain text, for notifications of the browser. */
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
  // An hour of 99 or a month "Foo" is no time.
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
