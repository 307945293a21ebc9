import { type Static, Type } from 'typebox';
import { Nullable } from '../http/schemas.ts';
import { RiskSeries } from './evidence-schema.ts';

/** Source of an incident's number, its users, its newest event, its link and its messages. */
export const Lead = Type.Union(
  [
    Type.Object(
      { kind: Type.Literal('group'), groupId: Type.String(), series: RiskSeries },
      {
        description:
          'A new error: the events of the group that the id leads to now, with those of groups merged into it.',
      },
    ),
    Type.Object(
      { kind: Type.Literal('series'), series: RiskSeries },
      { description: 'The events of a series; of failed payments, those that failed.' },
    ),
    Type.Object(
      { kind: Type.Literal('absence'), series: RiskSeries },
      { description: 'Events that are missing: a drop, a silence, a heartbeat.' },
    ),
    Type.Object({ kind: Type.Literal('schedule'), scheduleId: Nullable(Type.String()) }),
    Type.Object({ kind: Type.Literal('alerts') }, { description: 'Alerts of another system.' }),
    Type.Object({ kind: Type.Literal('manual') }),
  ],
  {
    description:
      'Source of the number, the users, the newest event, the link and the messages. Series that joined (`evidence.alsoSeries`) add to none of them.',
  },
);
export type Lead = Static<typeof Lead>;
