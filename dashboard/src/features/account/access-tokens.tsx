import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenRecord } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { useCreate } from '../../lib/search/use-create.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { CreateToken } from './create-token.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { texts } from './texts.ts';
import { tokensQuery } from './token-queries.ts';

const words = texts.accessTokens;

/** Dates with their year: a token may expire in a year. */
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: TIME_ZONE });

/** The tokens with which programs act for the user. */
export function AccessTokens() {
  const { data: tokens, error, refetch } = useQuery(tokensQuery);
  const [isCreating, setCreating] = useCreate();
  const [revoked, setRevoked] = useState<TokenRecord | null>(null);
  return (
    <Section
      title={words.accessTokens}
      actions={<Button onClick={() => setCreating(true)}>{words.createToken}</Button>}
    >
      <p className="mb-3 max-w-xl text-sm text-text-muted">{words.hint}</p>
      {!tokens && <QueryState query={{ error, refetch }} rows={2} />}
      {tokens?.length === 0 && <Empty title={words.none} />}
      {tokens && tokens.length > 0 && (
        <ul aria-label={words.accessTokens} className="border-t border-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </ul>
      )}
      {tokens?.some(({ scopes }) => scopes.includes('admin')) && (
        <p className="mt-3 max-w-xl text-sm text-text-muted">{words.adminHint}</p>
      )}
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
      {revoked && <RevokeToken token={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

function TokenRow({ token, onRevoke }: { token: TokenRecord; onRevoke: () => void }) {
  const { name, prefix, scopes, createdAt, expiresAt, lastUsedAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="wrap-anywhere">
          {name} <span className="font-mono text-sm text-text-muted">{prefix}…</span>
        </p>
        <p className="text-sm wrap-anywhere text-text-muted">
          {words.scopes(scopes)} · {words.created} <RelativeTime at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            words.neverUsed
          )}{' '}
          ·{' '}
          {expiresAt === null ? (
            words.noExpiry
          ) : (
            <time
              dateTime={expiresAt}
              title={formatExactTime(expiresAt)}
              className={isExpired ? 'font-semibold text-critical' : ''}
            >
              {isExpired ? words.expired : words.expires} {DATE.format(new Date(expiresAt))}
            </time>
          )}
        </p>
      </div>
      <Button aria-label={words.revokeNamed(name)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  );
}
