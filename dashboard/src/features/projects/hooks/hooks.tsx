import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HookRecord, ProjectRecord } from '../../../lib/api-types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { RowMenu } from '../../../ui/controls/row-menu.tsx';
import { MadeByToken } from '../../../ui/display/made-by-token.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Empty, QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/layout/table.tsx';
import { CreateHook } from './create-hook.tsx';
import { DeleteHook } from './delete-hook.tsx';
import { HookSecret } from './hook-secret.tsx';
import { hooksQuery } from './queries.ts';
import { texts as words } from './texts.ts';

/** A dialog about hooks; null: none is open. */
type HookDialog = { what: 'create' } | { what: 'secret' | 'delete'; hook: HookRecord } | null;

/** The hooks of the project. */
export function Hooks({ project }: { project: ProjectRecord }) {
  const { data: hooks, error, refetch } = useQuery(hooksQuery(project.id));
  const [asked, setAsked] = useState<HookDialog>(null);
  const close = () => setAsked(null);
  return (
    <Section
      title={words.hooks}
      actions={<Button onClick={() => setAsked({ what: 'create' })}>{words.add}</Button>}
    >
      {!hooks && <QueryState query={{ error, refetch }} rows={1} />}
      {hooks?.length === 0 && <Empty title={words.none}>{words.noneHint}</Empty>}
      {hooks && hooks.length > 0 && (
        <Table label={words.hooks} columns={[words.name, words.state]} actions={words.actions}>
          {hooks.map((hook) => (
            <HookRow key={hook.id} hook={hook} onAsk={(what) => setAsked({ what, hook })} />
          ))}
        </Table>
      )}
      {asked?.what === 'create' && <CreateHook project={project} onClose={close} />}
      {asked?.what === 'secret' && <HookSecret hook={asked.hook} onClose={close} />}
      {asked?.what === 'delete' && <DeleteHook hook={asked.hook} onClose={close} />}
    </Section>
  );
}

function HookRow({ hook, onAsk }: { hook: HookRecord; onAsk: (what: 'secret' | 'delete') => void }) {
  return (
    <tr className="border-b border-line">
      <td className="py-1.5 pr-4 wrap-anywhere">
        {hook.name}
        {hook.name !== words.kinds[hook.kind] && (
          <span className="block text-xs text-text-muted">{words.kinds[hook.kind]}</span>
        )}
        <span className="block font-mono text-xs whitespace-nowrap text-text-muted">{hook.prefix}…</span>
        <MadeByToken token={hook.madeByToken} />
        {hook.restoredAt && (
          <span className="block text-xs text-text-muted">
            {words.restored} <RelativeTime at={hook.restoredAt} />
          </span>
        )}
      </td>
      <td className="py-1.5 pr-4 text-text-muted">
        <HookState hook={hook} />
      </td>
      <td className="py-1.5 text-right">
        <span className="inline-flex flex-wrap justify-end gap-2 sm:flex-nowrap">
          <Button aria-label={words.setSecretNamed(hook.name)} onClick={() => onAsk('secret')}>
            {words.setSecret}
          </Button>
          <RowMenu of={hook.name} last={{ label: words.delete, onSelect: () => onAsk('delete') }} />
        </span>
      </td>
    </tr>
  );
}

function HookState({ hook: { secretCount, lastUsedAt, lastRefusedAt, lastRefusal } }: { hook: HookRecord }) {
  if (secretCount === 0) {
    return (
      <>
        {words.waiting}{' '}
        {lastRefusedAt && (
          <>
            {words.lastAttempt} <RelativeTime at={lastRefusedAt} />
          </>
        )}
      </>
    );
  }
  return (
    <>
      {lastUsedAt ? (
        <>
          {words.lastRequest} <RelativeTime at={lastUsedAt} />
        </>
      ) : (
        words.noRequest
      )}
      {secretCount === 2 && <span className="block text-xs">{words.twoSecrets}</span>}
      {lastRefusedAt && (
        <span className="block text-xs">
          {words.refused} <RelativeTime at={lastRefusedAt} />: {lastRefusal}
        </span>
      )}
    </>
  );
}
