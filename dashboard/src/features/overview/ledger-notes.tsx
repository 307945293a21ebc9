import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../lib/format.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import { LedgerCounts } from '../../ui/display/ledger-counts.tsx';
import { texts } from './texts.ts';
import type { WatchedLedger } from './use-ledger.ts';

const words = texts.ledgerNotes;

/** Shown above the rest: how to send events, or a warning that events wait or have failed; nothing if all is well. */
export function LedgerWarning({ ledger, isStuck }: WatchedLedger) {
  if (ledger?.accepted === 0)
    return (
      <p className="-mt-2 mb-4 text-sm text-text-muted">
        {words.noEventsYet} <ToFirstSteps />
      </p>
    );
  if (!ledger || (ledger.dead === 0 && !isStuck)) return null;
  return (
    <section
      aria-label={words.ledger}
      className="mb-4 rounded-md border border-line-strong bg-warn-soft px-3 py-2 text-sm"
    >
      <p role="alert" className="mb-1 font-semibold">
        {[isStuck && words.waiting(ledger.queued), ledger.dead > 0 && words.dead(ledger.dead)]
          .filter(Boolean)
          .join(' ')}
      </p>
      <LedgerCounts ledger={ledger} />
    </section>
  );
}

/** Leads to the first steps of the chosen or the only project, else to all projects. */
function ToFirstSteps() {
  const [{ project }] = useScope();
  const { data: projects = [] } = useQuery(projectsQuery);
  const projectId = project ?? (projects.length === 1 ? projects[0]?.id : undefined);
  const place = projectId
    ? ({ to: '/projects/$projectId/start', params: { projectId } } as const)
    : ({ to: '/projects' } as const);
  return (
    <Link {...place} className="text-accent hover:underline">
      {words.sendYourFirstEvent}
    </Link>
  );
}

/** Shown below the rest while no event waits or has failed: all events are stored. */
export function LedgerFooter({ ledger, isStuck }: WatchedLedger) {
  if (!ledger || ledger.accepted === 0 || ledger.dead > 0 || isStuck) return null;
  const { accepted, duplicate, dropped, expired, queued, sampled } = ledger;
  const others = [
    [sampled, 'counted, not kept'],
    [duplicate, 'repeated'],
    [dropped, 'dropped with a deleted project'],
    [expired, 'expired'],
    [queued, 'about to be stored'],
  ] as const;
  const details = others.flatMap(([count, words]) => (count > 0 ? [`${formatCount(count)} ${words}`] : []));
  return (
    <section aria-label={words.ledger} className="mb-4 border-t border-line pt-3 text-sm text-text-muted">
      {details.length === 0
        ? words.allStored(formatCount(accepted))
        : words.notAllStored(formatCount(accepted), formatCount(ledger.stored), details.join(', '))}
    </section>
  );
}
