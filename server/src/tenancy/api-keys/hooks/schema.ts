import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../../http/schemas.ts';
import { toId } from '../../../platform/ids.ts';
import { isoTime } from '../../../platform/time.ts';
import { MadeByToken, toNamedToken } from '../../maker-token.ts';
import type { ApiKeyRow } from '../schema.ts';

/** Senders, with the name that a hook has without one of its own. */
export const HOOK_NAMES = { stripe: 'Stripe', github: 'GitHub', standard: 'Standard Webhooks' } as const;

export type HookKind = keyof typeof HOOK_NAMES;

const HookKind = Type.Enum(['stripe', 'github', 'standard'] as const satisfies HookKind[], {
  description: '`standard`: signed by Standard Webhooks, also with the headers of Svix.',
});

const SECRET_FORM =
  'As the sender shows it; of `standard` base64 of at least 24 bytes, with or without `whsec_`. Never shown again.';
const Secret = Type.String({ minLength: 8, maxLength: 256, pattern: '^[ -~]+$', description: SECRET_FORM });

export const Hook = Type.Object({
  id: Type.String({ examples: ['hook_01h455vb4pex5vsknk084sn02q'] }),
  projectId: Type.String(),
  kind: HookKind,
  name: Type.String(),
  prefix: Type.String({ description: 'Leading characters of the token.', examples: ['tsn_hook_4fT9x'] }),
  secretCount: Type.Integer({
    description: 'Number of valid secrets; 0: the hook waits for its secret, and refuses each request.',
  }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(
    Type.String({
      ...Timestamp,
      description: 'Time of the last accepted request; may lag by up to a minute.',
    }),
  ),
  lastRefusedAt: Nullable(Timestamp),
  lastRefusal: Nullable(Type.String({ description: 'Reason of the last refusal, as the sender got it.' })),
  restoredAt: Nullable(
    Type.String({
      ...Timestamp,
      description: 'Time of the restore that brought it back from a backup; null: it was created since.',
    }),
  ),
  madeByToken: MadeByToken,
});

export const CreatedHook = Type.Object({
  ...Hook.properties,
  url: Type.String({
    description: 'Address for the sender, shown only once.',
    examples: ['https://events.shop.example/hooks/tsn_hook_4fT9xq2vW7yB1nD5kR8sH3jL6mP0aC9eG4uTzQ'],
  }),
  secret: Nullable(Type.String({ description: 'The secret that the service has made, shown only once.' })),
});

export const NewHook = Type.Object({
  kind: HookKind,
  secret: Type.Optional({
    ...Secret,
    description: `${SECRET_FORM} Default: for \`github\` the service makes one; others wait for it.`,
  }),
  name: Type.Optional(Name('Friendly label; default: the name of the sender.')),
});
export type NewHook = Static<typeof NewHook>;

export const HookPatch = Type.Object({
  name: Type.Optional(Name('Friendly label.')),
  secret: Type.Optional({ ...Secret, description: 'The one valid secret from now on.' }),
  secrets: Type.Optional(
    Type.Array(Secret, {
      minItems: 1,
      maxItems: 2,
      description: 'Valid secrets from now on: the new and the old one while the sender replaces it.',
    }),
  ),
});
export type HookPatch = Static<typeof HookPatch>;

/** A hook is a key of its own kind: what keys have, and what checks signatures. */
export interface HookRow extends Omit<ApiKeyRow, 'use' | 'browser'> {
  kind: HookKind;
  /** Encrypted list of secrets; null: it waits for one. */
  secrets: string | null;
  secretCount: number;
  lastRefusedAt: Date | null;
  lastRefusal: string | null;
}

export function toHook(row: HookRow): Static<typeof Hook> {
  const { kind, name, prefix, secretCount, lastRefusal } = row;
  return {
    id: toId('hook', row.id),
    projectId: toId('proj', row.projectId),
    kind,
    name,
    prefix,
    secretCount,
    createdAt: isoTime(row.createdAt),
    lastUsedAt: row.lastUsedAt && isoTime(row.lastUsedAt),
    lastRefusedAt: row.lastRefusedAt && isoTime(row.lastRefusedAt),
    lastRefusal,
    restoredAt: row.restoredAt && isoTime(row.restoredAt),
    madeByToken: toNamedToken(row.madeByToken),
  };
}
