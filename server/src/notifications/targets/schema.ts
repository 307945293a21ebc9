import { type Static, Type } from 'typebox';
import { IdText, JsonObject, Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { NullableToken, toNamedToken } from '../../tenancy/maker-token.ts';
import { CHANNEL_KINDS, CHANNELS } from '../channels/registry.ts';
import type { RecipientRow } from '../recipients/recipient.ts';
import { Confirmation, toConfirmation } from '../recipients/schema.ts';
import { NewQuietHours, QuietHours } from './quiet-hours.ts';
import type { TargetRow } from './target.ts';

export const TargetKind = Type.Enum([...CHANNEL_KINDS]);

const Health = Type.Object(
  {
    state: Type.Enum(['working', 'failing', 'disabled', 'unused'], {
      description: '`unused`: nothing was sent yet.',
    }),
    failingSince: Nullable(Timestamp),
    lastFailure: Nullable(Type.String({ description: 'Reason of the newest failure.' })),
    lastSuccessAt: Nullable(Timestamp),
    disabledAt: Nullable(Timestamp),
    disabledReason: Nullable(
      Type.String({ description: 'Null where a person has disabled it: the service states its reason.' }),
    ),
  },
  { description: 'Result of the newest attempts.' },
);

const NullableQuietHours = Type.Unsafe<QuietHours | null>({
  ...QuietHours,
  type: ['object', 'null'],
  description: 'Hours in which it is sent only severe changes. Null: none.',
});
const QuietHoursInput = Type.Unsafe<NewQuietHours | null>({
  ...NewQuietHours,
  type: ['object', 'null'],
  description:
    'Hours in which it is sent only severe changes; the rest is sent at their end, unless it is over by then. Null: none.',
});

export const Target = Type.Object({
  id: Type.String({ examples: ['ntg_01h455vb4pex5vsknk084sn02q'] }),
  kind: TargetKind,
  name: Type.String(),
  config: Type.Unsafe<Record<string, unknown>>({
    ...JsonObject,
    description: 'Settings without secrets, which only the answer of the creation holds.',
  }),
  address: Type.String({ description: 'Destination without secrets: the host, for example.' }),
  canEdit: Type.Boolean({
    description: 'True if the one message of an incident is edited in place of further ones.',
  }),
  quietHours: NullableQuietHours,
  enabled: Type.Boolean(),
  health: Health,
  confirmation: Confirmation,
  createdAt: Timestamp,
  madeByToken: NullableToken(
    'The access token that made the target or set its configuration last; null: a login did, or a version that did not record it.',
  ),
  updatedAt: Timestamp,
});
export type Target = Static<typeof Target>;

export const CreatedTarget = Type.Object({
  ...Target.properties,
  secret: Type.Optional(
    Type.String({
      description: 'Secret of a webhook, which signs each request (Standard Webhooks). Shown only once.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  ),
});

export const NewTarget = Type.Object({
  kind: TargetKind,
  name: Name('Name in lists and messages.'),
  config: Type.Unsafe<Record<string, unknown>>({
    ...JsonObject,
    description:
      'Settings of the kind: `{ "url": "https://…" }` for a webhook. docs/notifications.md has all of them.',
  }),
  quietHours: Type.Optional(QuietHoursInput),
});

export const TargetPatch = Type.Object({
  name: Type.Optional(Name('Name in lists and messages.')),
  config: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...JsonObject,
      description:
        'The fields that change; secrets that are left out stay as they are. Where the host of an address changes, they have to be entered again.',
    }),
  ),
  quietHours: Type.Optional(QuietHoursInput),
  enabled: Type.Optional(Type.Boolean()),
});

export const TestResult = Type.Object({
  ok: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null: there was none.' })),
  body: Type.String({ description: 'The first 2,000 characters of the answer.' }),
  reason: Nullable(Type.String({ description: 'Reason of the failure.' })),
  elapsedMs: Type.Integer(),
});

export const TargetId = Type.Object({ id: IdText });

/** @param recipient state of the address that it sends mail to; null: it sends none */
export function toTarget(row: TargetRow, recipient: RecipientRow | null): Target {
  const channel = CHANNELS[row.kind];
  return {
    id: toId('ntg', row.id),
    kind: row.kind,
    name: row.name,
    config: row.config,
    address: channel.describe(row.config),
    canEdit: channel.canEdit(row.config),
    quietHours: row.quietHours,
    enabled: row.disabledAt === null,
    health: {
      state: stateOf(row),
      failingSince: row.failingSince && isoTime(row.failingSince),
      lastFailure: row.failingSince || row.disabledReason ? row.lastFailure : null,
      lastSuccessAt: row.lastSuccessAt && isoTime(row.lastSuccessAt),
      disabledAt: row.disabledAt && isoTime(row.disabledAt),
      disabledReason: row.disabledReason,
    },
    confirmation: toConfirmation(recipient),
    createdAt: isoTime(row.createdAt),
    madeByToken: toNamedToken(row.madeByToken),
    updatedAt: isoTime(row.updatedAt),
  };
}

function stateOf(row: TargetRow): Target['health']['state'] {
  if (row.disabledAt) return 'disabled';
  if (row.failingSince) return 'failing';
  return row.lastSuccessAt ? 'working' : 'unused';
}
