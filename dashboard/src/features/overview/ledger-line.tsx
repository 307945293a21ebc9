import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { useScope } from '../../lib/scope.ts';
import { ledgerQuery } from './queries.ts';

const PARTS = [
  { name: 'accepted', says: 'Everything that was sent and acknowledged, ever' },
  { name: 'stored', says: 'Can be found, or could until retention removed it' },
  { name: 'queued', says: 'Safe on disk, stored in a moment' },
  { name: 'duplicate', says: 'Repeats that were recognised' },
  { name: 'dead', says: 'Refused by the database, kept as dead letters' },
  { name: 'dropped', says: 'Still queued when their project was deleted' },
] as const satisfies { name: keyof LedgerRecord; says: string }[];

/** What became of everything that was sent, in one line: the first number is the sum of the others. */
export function LedgerLine() {
  const [{ project }] = useScope();
  const { data: ledger } = useQuery(ledgerQuery(project));
  return (
    <section aria-label="Ledger" className="-mt-2 mb-4 min-h-10 text-sm text-text-muted sm:min-h-5">
      {ledger?.accepted === 0 && (
        <p>
          Nothing has been sent yet.{' '}
          <Link to="/projects" className="text-accent hover:underline">
            See how to send the first event
          </Link>
        </p>
      )}
      {ledger && ledger.accepted > 0 && (
        <dl className="flex flex-wrap gap-x-4">
          {PARTS.filter(({ name }) => name !== 'dropped' || ledger.dropped > 0).map(({ name, says }) => (
            <div key={name} title={says} className="flex gap-1.5">
              <dt>{name}</dt>
              <dd
                className={`font-semibold ${name === 'dead' && ledger.dead > 0 ? 'text-critical' : 'text-text'}`}
              >
                {formatCount(ledger[name])}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
