import { InvalidArgumentError } from 'commander';
import { SEVERITIES } from '../../events/severities.ts';
import { isoTime, parseIsoTime } from '../../platform/time.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const MAX_LIMIT = 100_000;

/** Parses a length such as `90s`, `15m`, `4h`, `7d`, `2w` to milliseconds. */
export function parseLength(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/i.exec(text) ?? [];
  const lengthMs = Number(amount) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  if (lengthMs > 0) return lengthMs;
  throw new InvalidArgumentError('Use a length such as 90s, 15m, 4h, 7d or 2w.');
}

/** Parses an instant: a length before now, or ISO 8601. */
export function parseInstant(nowMs: number): (text: string) => string {
  return (text) => {
    const atMs = parseIsoTime(text) ?? (/^\d+[smhdw]$/i.test(text) ? nowMs - parseLength(text) : null);
    if (atMs !== null) return isoTime(new Date(atMs));
    throw new InvalidArgumentError('Use a length such as 15m, 4h or 7d, or a time such as 2026-11-21T09:30.');
  };
}

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Use a number from 1 to ${MAX_LIMIT}.`);
}

export function parseSeverity(text: string): string {
  const severity = text.toLowerCase();
  if (SEVERITIES.some((known) => known === severity)) return severity;
  throw new InvalidArgumentError('Use info, warn, error or critical.');
}

/** Parses one of a closed set of words. */
export function parseOneOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`Use one of ${words.join(', ')}.`);
  };
}
