import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeadLetterRecord } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { RowMenu } from '../../../ui/controls/row-menu.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Alert, QueryState } from '../../../ui/feedback/states.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { ConfirmDialog } from '../../../ui/layout/confirm-dialog.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/layout/table.tsx';
import { DeadLetter } from './dead-letter.tsx';
import { deadLettersQuery, discardLetter, discardLetters, replayLetter, replayLetters } from './queries.ts';
import { texts as words } from './texts.ts';

/** An open dialog: about one dead letter, or about all of them. */
type LetterDialog = { what: 'show' | 'discard'; letter: DeadLetterRecord } | { what: 'discardAll' } | null;

/** The events of the project that could not be stored. */
export function DeadLetters({ projectId }: { projectId: string }) {
  const { data: page, error, refetch } = useQuery(deadLettersQuery(projectId));
  const [asked, setAsked] = useState<LetterDialog>(null);
  const close = () => setAsked(null);
  const update = () => refreshLetters(projectId);
  const replay = useMutation({
    mutationFn: async (letter: DeadLetterRecord | null) => {
      if (!letter) return replayLetters(projectId);
      await replayLetter(projectId, letter.id);
      return 1;
    },
    onSuccess: (count) => showToast(words.replayed(count)),
    onSettled: update,
  });
  const discarded = async (count: number) => {
    showToast(words.discarded(count));
    close();
    await update();
  };
  const isEmpty = page?.items.length === 0;
  return (
    <Section
      title={words.title}
      actions={
        page &&
        !isEmpty && (
          <>
            <Button busy={replay.isPending} onClick={() => replay.mutate(null)}>
              {words.replayAll}
            </Button>
            <RowMenu
              of={words.all}
              last={{ label: words.discardAll, onSelect: () => setAsked({ what: 'discardAll' }) }}
            />
          </>
        )
      }
    >
      <p className="mb-2 max-w-prose text-text-muted">{isEmpty ? words.none : words.hint}</p>
      {replay.error && <Alert>{replay.error.message}</Alert>}
      {!page && <QueryState query={{ error, refetch }} rows={1} />}
      {page && !isEmpty && (
        <LetterTable
          letters={page.items}
          isBusy={replay.isPending}
          onAsk={setAsked}
          onReplay={(letter) => replay.mutate(letter)}
        />
      )}
      {page?.next && <p className="mt-2 text-sm text-text-muted">{words.newest(page.items.length)}</p>}
      {asked?.what === 'show' && <DeadLetter projectId={projectId} letter={asked.letter} onClose={close} />}
      {(asked?.what === 'discard' || asked?.what === 'discardAll') && (
        <ConfirmDialog
          title={asked.what === 'discard' ? words.discardTitle : words.discardAllTitle}
          confirm={asked.what === 'discard' ? words.discard : words.discardAll}
          action={async () => {
            if (asked.what === 'discardAll') return discardLetters(projectId);
            await discardLetter(projectId, asked.letter.id);
            return 1;
          }}
          onSuccess={discarded}
          onClose={close}
        >
          <p>{words.consequence}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Reads again what a change of dead letters moves: the list, the ledger, and the notice about them. */
function refreshLetters(projectId: string) {
  return Promise.all(
    [deadLettersQuery(projectId).queryKey, ['ledger', projectId], ['notices']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

interface LetterTableProps {
  letters: DeadLetterRecord[];
  isBusy: boolean;
  onAsk: (dialog: LetterDialog) => void;
  onReplay: (letter: DeadLetterRecord) => void;
}

function LetterTable({ letters, isBusy, onAsk, onReplay }: LetterTableProps) {
  return (
    <Table label={words.title} columns={[words.message, words.reason, words.failed]} actions={words.actions}>
      {letters.map((letter) => {
        const title = letter.title || words.kinds[letter.kind];
        return (
          <tr key={letter.id} className="border-b border-line align-top">
            <td className="py-1.5 pr-4 wrap-anywhere">
              {title}
              <Details letter={letter} />
            </td>
            <td className="py-1.5 pr-4 text-sm wrap-anywhere text-text-muted">
              {letter.reason} {letter.sqlState && `(${letter.sqlState})`}
            </td>
            <td className="py-1.5 pr-4 whitespace-nowrap text-text-muted">
              <RelativeTime at={letter.createdAt} />
            </td>
            <td className="py-1.5 text-right">
              <span className="inline-flex flex-wrap justify-end gap-2 sm:flex-nowrap">
                <Button aria-label={words.showNamed(title)} onClick={() => onAsk({ what: 'show', letter })}>
                  {words.show}
                </Button>
                <RowMenu
                  of={title}
                  disabled={isBusy}
                  items={
                    letter.kind === 'unreadable'
                      ? []
                      : [{ label: words.replay, onSelect: () => onReplay(letter) }]
                  }
                  last={{ label: words.discard, onSelect: () => onAsk({ what: 'discard', letter }) }}
                />
              </span>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** Kind and repeats, where they are not the usual ones. */
function Details({ letter: { kind, title, events } }: { letter: DeadLetterRecord }) {
  const details = [kind !== 'event' && title && words.kinds[kind], events > 1 && words.repeats(events)];
  const shown = details.filter(Boolean).join(' · ');
  return shown ? <span className="block text-xs text-text-muted">{shown}</span> : null;
}
