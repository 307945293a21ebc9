import { DAY_MS } from '../../lib/durations.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';

/** The times in a sentence of the service: "03:00 UTC", "Mon 03:00 UTC", "3 Nov 03:00 UTC", "Mondays at 03:00 UTC". */
const TIME =
  /\b(?:(?<weekday>Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?<usual>[a-z]*days at)? |(?<date>\d{1,2} [A-Z][a-z]{2}) )?(?<clock>\d{2}:\d{2}) UTC\b/g;
/** What people or their applications have written stays as it is. */
const QUOTED = /(“[^”]*”)/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A part of a sentence; of a time also what stands in its place in the sentence. */
export interface SentencePart {
  text: string;
  utc: string | null;
}

/**
 * Splits a sentence at its times, which are given in the reader's own zone.
 * @param nowMs a time of day is the last one before, as it is where the sentence is new
 * @param timeZone the one that the reader has chosen unless it is given
 */
export function splitTimes(
  sentence: string,
  nowMs: number,
  timeZone: string | undefined = TIME_ZONE,
): SentencePart[] {
  return sentence.split(QUOTED).flatMap((part, index) => {
    if (index % 2 === 1) return [{ text: part, utc: null }];
    const parts: SentencePart[] = [];
    let end = 0;
    for (const match of part.matchAll(TIME)) {
      const local = toLocal(match.groups ?? {}, nowMs, timeZone);
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
  return splitTimes(sentence, nowMs, timeZone)
    .map(({ text }) => text)
    .join('');
}

function toLocal(
  { weekday, usual, date, clock = '' }: Record<string, string | undefined>,
  nowMs: number,
  timeZone: string | undefined,
): string | null {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  let atMs = date
    ? Date.parse(`${date} ${today.slice(0, 4)} ${clock} UTC`)
    : Date.parse(`${today}T${clock}:00.000Z`);
  // Neither an hour of 99 nor a month of "Foo" is a time.
  if (Number.isNaN(atMs)) return null;
  if (date && atMs > nowMs) atMs = Date.parse(`${date} ${Number(today.slice(0, 4)) - 1} ${clock} UTC`);
  if (!date && atMs > nowMs) atMs -= DAY_MS;
  while (weekday && WEEKDAYS[new Date(atMs).getUTCDay()] !== weekday) atMs -= DAY_MS;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Date(atMs).toLocaleString('en-GB', { ...options, ...(timeZone && { timeZone }) });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (usual) return `${format({ weekday: 'long' })}s at ${time}`;
  if (weekday) return `${format({ weekday: 'short' })} ${time}`;
  return date ? `${format({ day: 'numeric', month: 'short' })} ${time}` : time;
}
