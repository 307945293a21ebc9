import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationTarget } from '../../lib/api-types.ts';
import { useCreate } from '../../lib/search/use-create.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
import { MadeByToken } from '../../ui/display/made-by-token.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Alert, Empty } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { enableTarget, readNotificationsAgain, testTarget } from './queries.ts';
import { RemoveTarget } from './remove-target.tsx';
import { TargetConfirmation } from './target-confirmation.tsx';
import { TargetForm } from './target-form.tsx';
import { TargetLog } from './target-log.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { texts } from './texts.ts';

const words = texts.targets;

interface TargetListProps {
  targets: NotificationTarget[];
  isOwner: boolean;
}

export function TargetList({ targets, isOwner }: TargetListProps) {
  const [isAdding, setAdding] = useCreate();
  const add = isOwner && (
    <Button variant={targets.length === 0 ? 'primary' : 'plain'} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} actions={targets.length > 0 && add}>
      {targets.length === 0 ? (
        <Empty sign="sent" title={words.none} action={add}>
          {words.noneHint}
        </Empty>
      ) : (
        <ul aria-label={words.list} className="border-t border-line">
          {targets.map((target) => (
            <TargetRow key={target.id} target={target} isOwner={isOwner} />
          ))}
        </ul>
      )}
      {isAdding && isOwner && <TargetForm target={null} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function TargetRow({ target, isOwner }: { target: NotificationTarget; isOwner: boolean }) {
  const { id, name, kind, address, enabled, quietHours } = target;
  const [shows, setShows] = useState<'log' | 'form' | 'removal' | null>(null);
  const test = useMutation({ mutationFn: testTarget, onSettled: readNotificationsAgain });
  const enable = useMutation({ mutationFn: enableTarget, onSettled: readNotificationsAgain });
  const log = { label: words.log, onSelect: () => setShows('log') };
  return (
    <li className="border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="wrap-anywhere">
            {name}{' '}
            <span className="text-sm text-text-muted">
              {words.kinds[kind]} · {address}
            </span>
          </p>
          <TargetHealth {...target} />
          <MadeByToken token={target.madeByToken} />
          <TargetConfirmation target={target} isOwner={isOwner} />
          {quietHours && <p className="text-sm text-text-muted">{texts.quietHours.said(quietHours)}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {isOwner ? (
            <>
              <Button
                aria-label={words.testNamed(name)}
                busy={test.isPending}
                onClick={() => test.mutate(id)}
              >
                {words.test}
              </Button>
              <RowMenu
                of={name}
                disabled={enable.isPending}
                items={[
                  log,
                  { label: words.change, onSelect: () => setShows('form') },
                  {
                    label: enabled ? words.disable : words.enable,
                    onSelect: () => enable.mutate({ id, enabled: !enabled }),
                  },
                ]}
                last={{ label: words.remove, onSelect: () => setShows('removal') }}
              />
            </>
          ) : (
            <Button aria-label={words.logNamed(name)} onClick={log.onSelect}>
              {log.label}
            </Button>
          )}
        </div>
      </div>
      {(test.error ?? enable.error) && <Alert>{(test.error ?? enable.error)?.message}</Alert>}
      {test.data && !test.isPending && <TestOutcome outcome={test.data} />}
      {shows === 'log' && <TargetLog target={target} onClose={() => setShows(null)} />}
      {shows === 'form' && <TargetForm target={target} onClose={() => setShows(null)} />}
      {shows === 'removal' && <RemoveTarget target={target} onClose={() => setShows(null)} />}
    </li>
  );
}

/** The state of a target, and the reason if messages do not arrive. */
function TargetHealth({ health }: NotificationTarget) {
  const { state, failingSince, disabledAt, disabledReason, lastFailure, lastSuccessAt } = health;
  const since = state === 'disabled' ? disabledAt : state === 'failing' ? failingSince : null;
  const isBad = state === 'failing' || disabledReason !== null;
  return (
    <p className="text-sm wrap-anywhere text-text-muted">
      <span className={isBad ? 'font-semibold text-critical' : ''}>{words.states[state]}</span>
      {since && (
        <>
          {' '}
          {words.since} <RelativeTime at={since} />
        </>
      )}
      {isBad && `: ${disabledReason ?? lastFailure ?? ''}`}
      {lastSuccessAt && (
        <>
          {' '}
          · {words.lastSuccess} <RelativeTime at={lastSuccessAt} />
        </>
      )}
    </p>
  );
}
