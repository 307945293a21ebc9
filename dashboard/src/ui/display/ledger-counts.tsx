import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';

const PARTS = [
  { name: 'accepted', label: 'Received', says: 'Every event ever sent and acknowledged' },
  { name: 'stored', label: 'Stored', says: 'In the event list, unless retention has removed it' },
  { name: 'queued', label: 'Waiting', says: 'Safe on disk, about to be stored' },
  { name: 'duplicate', label: 'Duplicates', says: 'Recognised repeats' },
  { name: 'dead', label: 'Failed', says: 'Rejected by the database and kept as dead letters' },
  { name: 'dropped', label: 'Dropped', says: 'Still waiting when their project was deleted' },
] as const satisfies { name: keyof LedgerRecord; label: string; says: string }[];

/** The outcome of every event, in one line: the first number is the sum of the others. */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
      {PARTS.filter(({ name }) => name !== 'dropped' || ledger.dropped > 0).map(({ name, label, says }) => (
        <div key={name} title={says} className="flex gap-1.5">
          <dt>{label}</dt>
          <dd
            className={`font-semibold ${name === 'dead' && ledger.dead > 0 ? 'text-critical' : 'text-text'}`}
          >
            {formatCount(ledger[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
