import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { Timestamp } from '../../http/schemas.ts';

const MAX_PREVIEW_DAYS = 90;

export const PreviewQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PREVIEW_DAYS, default: 30 })),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Time zone for the count of nights (IANA). Default: UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
});

export const Preview = Type.Object({
  from: Timestamp,
  to: Timestamp,
  messages: Type.Integer({ description: 'Messages of their own, digests included.' }),
  atNight: Type.Integer({ description: 'Messages from 22:00 to 7:00 in the time zone.' }),
  edits: Type.Integer({ description: 'Times that a message was updated in place.' }),
  digests: Type.Integer({ description: 'Messages that sum up a storm.' }),
  budgetDigests: Type.Integer({
    description: 'Messages that are daily digests of changes beyond `maxPerWeek`.',
  }),
  changes: Type.Integer({ description: 'Changes of incidents and groups that the route would have taken.' }),
  held: Type.Integer({
    description: 'Changes that the quiet hours of the target would have held.',
  }),
  dropped: Type.Integer({
    description: 'Held changes that were over at the end of the quiet hours: never sent.',
  }),
  overBudget: Type.Integer({ description: 'Changes that daily digests would have contained.' }),
  bySeverity: Type.Array(
    Type.Object({
      minSeverity: Severity,
      messages: Type.Integer(),
      atNight: Type.Integer(),
      mostPerWeek: Type.Integer({ description: 'The most within any seven days.' }),
    }),
    {
      description:
        'Messages from each severity on, without `maxPerWeek`: the first whose `mostPerWeek` is not above it stays under it alone.',
    },
  ),
  timeZone: Type.String(),
  isComplete: Type.Boolean({
    description: 'False: there were too many changes, and the newest are missing.',
  }),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Date in the time zone.', examples: ['2026-11-21'] }),
      messages: Type.Integer(),
    }),
    {
      description: 'Days with a message.',
    },
  ),
});
export type Preview = Static<typeof Preview>;
