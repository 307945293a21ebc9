import type { Severity } from '../../events/severity.ts';
import { numberOf, textOf } from './json-values.ts';

/** Severities by the beginning of what loggers call them. */
const BY_TEXT: [pattern: RegExp, severity: Severity][] = [
  [/^(fatal|crit|emerg|alert|panic)/, 'critical'],
  [/^(err|severe)/, 'error'],
  [/^warn/, 'warn'],
];

/** Name of a number in the JSON form of Protocol Buffers: `SEVERITY_NUMBER_WARN2`. */
const ENUM_PREFIX = /^severity_number_/;

/** Returns the severity of a log record: by its number from 1 to 24, else by its text, else info. */
export function readSeverity(severityNumber: unknown, severityText: unknown): Severity {
  const number = numberOf(severityNumber) ?? 0;
  if (number >= 1 && number <= 24) {
    if (number <= 12) return 'info';
    if (number <= 16) return 'warn';
    return number <= 20 ? 'error' : 'critical';
  }
  const isName = typeof severityNumber === 'string' && ENUM_PREFIX.test(severityNumber.toLowerCase());
  const name = textOf(isName ? severityNumber : severityText)
    .toLowerCase()
    .replace(ENUM_PREFIX, '');
  return BY_TEXT.find(([pattern]) => pattern.test(name))?.[1] ?? 'info';
}
