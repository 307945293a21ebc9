import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { texts } from '../texts.ts';
import { findLostItems } from './lost-items.ts';

const PARTS = [
  'accepted',
  'stored',
  'queued',
  'onDisk',
  'duplicate',
  'dead',
  'dropped',
] as const satisfies (keyof LedgerRecord)[];

/**
 * The outcome of every event, in one line: the first number is the sum of the others, but for those on disk, which are not
 * in it yet.
 */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  const lost = findLostItems(ledger).inApplication.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
      {PARTS.filter((name) => (name !== 'dropped' && name !== 'onDisk') || ledger[name] > 0).map((name) => (
        <div key={name} title={texts.display.ledger[name].meaning} className="flex gap-1.5">
          <dt>{texts.display.ledger[name].label}</dt>
          <dd
            className={`font-semibold ${name === 'dead' && ledger.dead > 0 ? 'text-critical' : 'text-text'}`}
          >
            {formatCount(ledger[name])}
          </dd>
        </div>
      ))}
      {lost > 0 && (
        <div title={texts.display.ledger.lost.meaning} className="flex gap-1.5">
          <dt>{texts.display.ledger.lost.label}</dt>
          <dd className="font-semibold text-text">{formatCount(lost)}</dd>
        </div>
      )}
    </dl>
  );
}
