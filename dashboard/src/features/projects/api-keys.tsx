import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyRecord, ProjectRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { MadeByToken } from '../../ui/display/made-by-token.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { Table } from '../../ui/layout/table.tsx';
import { CreateKey } from './create-key.tsx';
import { keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { texts } from './texts.ts';

const words = texts.apiKeys;

/** The API keys of the project. */
export function ApiKeys({ project }: { project: ProjectRecord }) {
  const { data: keys, error, refetch } = useQuery(keysQuery(project.id));
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<KeyRecord | null>(null);
  return (
    <Section
      title={words.apiKeys}
      actions={<Button onClick={() => setIsCreating(true)}>{words.createKey}</Button>}
    >
      {!keys && <QueryState query={{ error, refetch }} rows={2} />}
      {keys?.length === 0 && <Empty title={words.none}>{words.noneHint}</Empty>}
      {keys?.some((key) => key.restoredAt) && (
        <p className="mb-2 text-sm text-text-muted">{words.restoredHint}</p>
      )}
      {keys && keys.length > 0 && <KeyTable keys={keys} onRevoke={setRevoked} />}
      {isCreating && <CreateKey project={project} onClose={() => setIsCreating(false)} />}
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

function KeyTable({ keys, onRevoke }: { keys: KeyRecord[]; onRevoke: (key: KeyRecord) => void }) {
  return (
    <Table
      label={words.apiKeys}
      columns={[words.name, { wide: words.prefix }, { wide: words.created }, words.lastUsed]}
      actions={words.actions}
    >
      {keys.map((key) => (
        <tr key={key.id} className="border-b border-line">
          <td className="py-1.5 pr-4 wrap-anywhere">
            {key.name}
            <span className="block font-mono text-xs text-text-muted sm:hidden">{key.prefix}…</span>
            {key.use !== 'server' && (
              <span className="block text-xs text-text-muted">{words.describeUse(key)}</span>
            )}
            <MadeByToken token={key.madeByToken} />
            {key.restoredAt && (
              <span className="block text-xs text-text-muted">
                {words.restored} <RelativeTime at={key.restoredAt} />
              </span>
            )}
          </td>
          <td className="hidden py-1.5 pr-4 font-mono text-sm text-text-muted sm:table-cell">
            {key.prefix}…
          </td>
          <td className="hidden py-1.5 pr-4 text-text-muted sm:table-cell">
            <RelativeTime at={key.createdAt} />
          </td>
          <td className="py-1.5 pr-4 text-text-muted">
            {key.lastUsedAt ? <RelativeTime at={key.lastUsedAt} /> : words.never}
          </td>
          <td className="py-1.5 text-right">
            <Button aria-label={words.revokeNamed(key.name)} onClick={() => onRevoke(key)}>
              {words.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
