import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { texts } from '../texts.ts';

const PARTS = [
  'accepted',
  'stored',
  'queued',
  'duplicate',
  'dead',
  'dropped',
] as const satisfies (keyof LedgerRecord)[];

/** The outcome of every event, in one line: the first number is the sum of the others. */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
      {PARTS.filter((name) => name !== 'dropped' || ledger.dropped > 0).map((name) => (
        <div key={name} title={texts.display.ledger[name].meaning} className="flex gap-1.5">
          <dt>{texts.display.ledger[name].label}</dt>
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
