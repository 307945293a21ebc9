import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { Dsn } from '../dsn.ts';
import { MadeByToken, type MakerToken, toNamedToken } from '../maker-token.ts';

/** Maximum origins of a key. */
const MAX_ORIGINS = 20;

const KeyUse = Type.Enum(['server', 'browser', 'ping'], {
  description:
    '`browser`: the key stands in pages, where anyone can read it. It takes envelopes of Sentry’s clients and reports to `/security/` alone, and no error of it is critical. `ping`: the key stands in the addresses of jobs, and checks in for the schedules of the project alone.',
});
export type KeyUse = Static<typeof KeyUse>;
const Origins = Type.Array(
  Type.String({ pattern: '^https?://[^/?#\\s]{1,256}$', examples: ['https://shop.example'] }),
  { maxItems: MAX_ORIGINS, description: 'Origins of the pages that may use a key for browsers; empty: all.' },
);
const metadata = {
  id: Type.String({ examples: ['key_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  prefix: Type.String({ description: 'Leading characters of the key.', examples: ['tsn_live_4fT9x'] }),
  projectId: Type.String(),
  createdAt: Timestamp,
  madeByToken: MadeByToken,
  use: KeyUse,
  origins: Origins,
};

export const ApiKey = Type.Object({
  ...metadata,
  lastUsedAt: Nullable(Timestamp),
  restoredAt: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'Time of the restore that brought the key back from a backup: it may have been revoked in between. Null: it was created since.',
    }),
  ),
});

/** A created key, without the fields that only lists have. */
export const CreatedApiKey = Type.Object({
  ...metadata,
  rawKey: Type.String({ description: 'The key itself, shown only once.' }),
  dsn: Nullable(Dsn),
  pingUrl: Nullable(
    Type.String({ description: 'Address to which a job appends its slug; null: the key is for no pings.' }),
  ),
});

const NewApiKeyFields = Type.Object({
  name: Type.Optional(Name('Friendly label; default `API key`.')),
  use: Type.Optional(KeyUse),
  origins: Type.Optional(Origins),
});

/** The body is optional; the validator receives a missing one as null. */
export const NewApiKey = Type.Unsafe<Static<typeof NewApiKeyFields> | null>({
  ...NewApiKeyFields,
  type: ['object', 'null'],
});

/** Limits of a key that stands in pages. */
export interface BrowserLimits {
  /** Empty: pages of all origins. */
  origins: string[];
}

/**
 * Limits of a new key; null: it is not for browsers.
 * @throws ApiError `validation_failed` for limits of another key
 */
export function readBrowserLimits({ use, origins }: Static<typeof NewApiKeyFields>): BrowserLimits | null {
  if (use === 'browser') return { origins: origins ?? [] };
  if (origins === undefined) return null;
  const message = 'is for keys with the use `browser` only';
  throw new ApiError('validation_failed', `body/origins ${message}.`, {
    fields: [{ pointer: '/origins', message }],
  });
}

export interface ApiKeyRow {
  id: string;
  projectId: string;
  name: string;
  prefix: string;
  createdAt: Date;
  madeByToken: MakerToken | null;
  use: KeyUse;
  browser: BrowserLimits | null;
  lastUsedAt: Date | null;
  restoredAt: Date | null;
}

export function toApiKey(row: ApiKeyRow): Static<typeof ApiKey> {
  return {
    id: toId('key', row.id),
    name: row.name,
    prefix: row.prefix,
    projectId: toId('proj', row.projectId),
    createdAt: isoTime(row.createdAt),
    madeByToken: toNamedToken(row.madeByToken),
    use: row.use,
    origins: row.browser?.origins ?? [],
    lastUsedAt: row.lastUsedAt && isoTime(row.lastUsedAt),
    restoredAt: row.restoredAt && isoTime(row.restoredAt),
  };
}
