import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useScope } from '../../lib/scope.ts';
import { LedgerCounts } from '../../ui/display/ledger-counts.tsx';
import { ledgerQuery } from './queries.ts';

/** What became of everything that was sent, or how to send something. */
export function LedgerLine() {
  const [{ project }] = useScope();
  const { data: ledger } = useQuery(ledgerQuery(project));
  return (
    <section aria-label="Ledger" className="-mt-2 mb-4 min-h-10 text-sm text-text-muted sm:min-h-5">
      {ledger?.accepted === 0 && (
        <p>
          No events yet.{' '}
          <Link to="/projects" className="text-accent hover:underline">
            Send your first event
          </Link>
        </p>
      )}
      {ledger && ledger.accepted > 0 && <LedgerCounts ledger={ledger} />}
    </section>
  );
}
