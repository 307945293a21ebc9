import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import type { FieldError } from '../../platform/errors.ts';
import { isTimeZone } from '../../platform/time-zone.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const Weekdays = Type.Array(Type.Enum([...WEEKDAYS]), {
  minItems: 1,
  uniqueItems: true,
  description: 'Days on which they begin. Default: all.',
});
const From = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'Local time of the time zone.',
  examples: ['22:00'],
});
const To = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  description: 'End, up to `24:00`; on the next day if it is before `from`.',
  examples: ['07:00'],
});
const TimeZone = Type.String({ maxLength: 64, description: 'An IANA name.', examples: ['Europe/Berlin'] });

/** Hours in which a target is sent only severe messages. */
export const QuietHours = Type.Object({
  weekdays: Weekdays,
  from: From,
  to: To,
  timeZone: TimeZone,
  minSeverity: Severity,
});
export type QuietHours = Static<typeof QuietHours>;

export const NewQuietHours = Type.Object({
  weekdays: Type.Optional(Weekdays),
  from: From,
  to: To,
  timeZone: TimeZone,
  minSeverity: Type.Optional(
    Type.Unsafe<Severity>({
      ...Severity,
      description: 'Lowest severity that is sent all the same. Default: `critical`.',
    }),
  ),
});
export type NewQuietHours = Static<typeof NewQuietHours>;

export function withDefaults({ weekdays, minSeverity, ...rest }: NewQuietHours): QuietHours {
  const chosen = WEEKDAYS.filter((day) => !weekdays || weekdays.includes(day));
  return { ...rest, weekdays: chosen, minSeverity: minSeverity ?? 'critical' };
}

/** Checks the rules that the schema does not express. */
export function findQuietHoursFault({ weekdays, from, to, timeZone }: QuietHours): FieldError | null {
  const fault = (field: keyof QuietHours, message: string) => ({ pointer: `/quietHours/${field}`, message });
  if (from === to) return fault('to', 'has to be another time than `from`');
  if (from === '00:00' && to === '24:00' && weekdays.length === WEEKDAYS.length)
    return fault('weekdays', 'leave no time that is not quiet: raise the severity of the routes');
  if (!isTimeZone(timeZone))
    return fault('timeZone', 'is no time zone that is known here, such as Europe/Berlin or UTC');
  return null;
}
