import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { texts } from './ledger-texts.ts';
import { findLostItems } from './lost-items.ts';

const PARTS = [
  'accepted',
  'stored',
  'queued',
  'onDisk',
  'duplicate',
  'dead',
  'dropped',
  'sampled',
  'erased',
  'expired',
] as const satisfies (keyof LedgerRecord)[];

/** Parts that are shown only if there are any. */
const IF_ANY = new Set<keyof LedgerRecord>(['onDisk', 'dropped', 'sampled', 'erased', 'expired']);

/**
 * The outcome of every event, in one line: the first number is the sum of the others, but for those on disk, which are not
 * in it yet.
 */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  const lost = findLostItems(ledger).inApplication.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
      {PARTS.filter((name) => !IF_ANY.has(name) || ledger[name] > 0).map((name) => (
        <div key={name} title={texts[name].meaning} className="flex gap-1.5">
          <dt>{texts[name].label}</dt>
          <dd
            className={`font-semibold ${name === 'dead' && ledger.dead > 0 ? 'text-critical' : 'text-text'}`}
          >
            {formatCount(ledger[name])}
          </dd>
        </div>
      ))}
      {lost > 0 && (
        <div title={texts.lost.meaning} className="flex gap-1.5">
          <dt>{texts.lost.label}</dt>
          <dd className="font-semibold text-text">{formatCount(lost)}</dd>
        </div>
      )}
    </dl>
  );
}
