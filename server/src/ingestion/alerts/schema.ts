import { type Static, Type } from 'typebox';
import { IsoTime, Nullable } from '../../http/schemas.ts';

const Texts = Type.Record(Type.String(), Type.String());
const Link = Type.Optional(Type.String());

export const AlertBody = Type.Object({
  status: Type.Enum(['firing', 'resolved']),
  labels: Texts,
  annotations: Type.Optional(
    Type.Unsafe<Record<string, string> | null>({ ...Texts, type: ['object', 'null'] }),
  ),
  startsAt: IsoTime,
  endsAt: Type.Optional(IsoTime),
  fingerprint: Type.Optional(Type.String({ maxLength: 256 })),
  generatorURL: Link,
  silenceURL: Link,
  dashboardURL: Link,
});
export type AlertBody = Static<typeof AlertBody>;

/** Notification of an alert group: version 4 of Alertmanager’s webhook, whose fields Grafana sends as well. */
export const NotificationBody = Type.Object({
  alerts: Type.Array(AlertBody),
  groupKey: Type.String({ minLength: 1, maxLength: 16_384 }),
  truncatedAlerts: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
});

export const AnyNotification = Type.Unknown({
  description:
    'The default payload of the webhook: `groupKey`, and `alerts` with `status`, `labels`, `annotations`, `startsAt` and `endsAt`.',
});

export const AcceptedNotification = Type.Object({
  status: Type.Literal('queued'),
  events: Type.Integer({ description: 'Alerts that are stored as events.' }),
  repeats: Type.Integer({ description: 'Alerts that are known as they are: nothing of them is stored.' }),
});
