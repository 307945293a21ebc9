import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { Dsn } from '../dsn.ts';
import { MadeByToken, type MakerToken, toNamedToken } from '../maker-token.ts';

const metadata = {
  id: Type.String({ examples: ['key_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  prefix: Type.String({ description: 'Leading characters of the key.', examples: ['tsn_live_4fT9x'] }),
  projectId: Type.String(),
  createdAt: Timestamp,
  madeByToken: MadeByToken,
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
  rawKey: Type.String({ description: 'The key itself: shown this once.' }),
  dsn: Dsn,
});

const NewApiKeyFields = Type.Object({ name: Type.Optional(Name('Friendly label; default `API key`.')) });

/** The body is optional; the validator receives a missing one as null. */
export const NewApiKey = Type.Unsafe<Static<typeof NewApiKeyFields> | null>({
  ...NewApiKeyFields,
  type: ['object', 'null'],
});

export interface ApiKeyRow {
  id: string;
  projectId: string;
  name: string;
  prefix: string;
  createdAt: Date;
  madeByToken: MakerToken | null;
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
    lastUsedAt: row.lastUsedAt && isoTime(row.lastUsedAt),
    restoredAt: row.restoredAt && isoTime(row.restoredAt),
  };
}
