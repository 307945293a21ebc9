import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import { Scope } from '../session.ts';
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS } from './limits.ts';

const metadata = {
  id: Type.String({ examples: ['tok_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  prefix: Type.String({ description: 'Leading characters of the token.', examples: ['tsn_pat_4fT9x'] }),
  scopes: Type.Array(Scope),
  createdAt: Timestamp,
  expiresAt: Nullable(Type.String({ ...Timestamp, description: 'Null: it does not expire.' })),
  lastUsedAt: Nullable(Type.String({ ...Timestamp, description: 'Accurate to the minute.' })),
};

export const Token = Type.Object(metadata);
export type Token = Static<typeof Token>;

export const CreatedToken = Type.Object({
  ...metadata,
  token: Type.String({ description: 'The token itself, shown only once.' }),
});

export const NewToken = Type.Object({
  name: Name('Purpose of the token.'),
  scopes: Type.Array(Scope, {
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
    description:
      '`read`: everything that its user can read. `write`: changes, but not of members, logins and tokens. `admin`: what outlives the token, which is creating projects and schedules, API keys, ping addresses, notification targets and routes, and erasures. For pipelines, and part of `write`: `releases` (record deploys), `silences`.',
  }),
  expiresInDays: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TOKEN_DAYS,
        default: DEFAULT_TOKEN_DAYS,
        description: 'Null: it does not expire.',
      }),
    ),
  ),
});

export interface TokenRow {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export function toToken(row: TokenRow, nowMs: number): Token {
  return {
    id: toId('tok', row.id),
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdAt: isoTime(row.createdAt),
    expiresAt:
      row.expiresAt && isoTime(allowedUntil(row.expiresAt.getTime(), MAX_TOKEN_DAYS * DAY_MS, nowMs)),
    lastUsedAt: row.lastUsedAt && isoTime(row.lastUsedAt),
  };
}
