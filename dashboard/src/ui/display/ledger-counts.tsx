import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';

const PARTS = [
  { name: 'accepted', says: 'Everything that was sent and acknowledged, ever' },
  { name: 'stored', says: 'Can be found, or could until retention removed it' },
  { name: 'queued', says: 'Safe on disk, stored in a moment' },
  { name: 'duplicate', says: 'Repeats that were recognised' },
  { name: 'dead', says: 'Refused by the database, kept as dead letters' },
  { name: 'dropped', says: 'Still queued when their project was deleted' },
] as const satisfies { name: keyof LedgerRecord; says: string }[];

/** What became of everything that was sent, in one line: the first number is the sum of the others. */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
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
  );
}
