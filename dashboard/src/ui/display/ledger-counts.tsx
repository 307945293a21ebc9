import type { LedgerRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { texts } from '../texts.ts';

const words = texts.display.ledger;

const PARTS = [
  'accepted',
  'stored',
  'queued',
  'onDisk',
  'duplicate',
  'dead',
  'dropped',
] as const satisfies (keyof LedgerRecord)[];

/** Kinds that would have been events; `envelope` is a request. */
const EVENT_KINDS = new Set(['default', 'envelope', 'error', 'feedback', 'log_item', 'monitor', 'security']);
/** Reasons that are no loss: someone chose to keep nothing. */
const CHOSEN_REASONS = new Set([
  'before_send',
  'browser_key',
  'event_processor',
  'ignored',
  'not_kept',
  'sample_rate',
]);

/**
 * The outcome of every event, in one line: the first number is the sum of the others, but for those on disk, which are not
 * in it yet.
 */
export function LedgerCounts({ ledger }: { ledger: LedgerRecord }) {
  const lost = ledger.unstored.filter(
    ({ kind, reason }) => EVENT_KINDS.has(kind) && !CHOSEN_REASONS.has(reason),
  );
  const refused = lost.filter(({ reason }) => reason in words.refusals);
  return (
    <>
      <dl className="flex flex-wrap gap-x-4 text-sm text-text-muted">
        {PARTS.filter((name) => (name !== 'dropped' && name !== 'onDisk') || ledger[name] > 0).map((name) => (
          <div key={name} title={words[name].meaning} className="flex gap-1.5">
            <dt>{words[name].label}</dt>
            <dd
              className={`font-semibold ${name === 'dead' && ledger.dead > 0 ? 'text-critical' : 'text-text'}`}
            >
              {formatCount(ledger[name])}
            </dd>
          </div>
        ))}
        <Loss name="lost" items={lost.filter((item) => !refused.includes(item))} />
        <Loss name="refused" items={refused} />
      </dl>
      {refused.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-text-muted">
          {refused.map(({ kind, reason, quantity }) => (
            <li key={`${kind} ${reason}`}>{words.refusal(kind, reason, formatCount(quantity))}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Loss({ name, items }: { name: 'lost' | 'refused'; items: LedgerRecord['unstored'] }) {
  if (items.length === 0) return null;
  return (
    <div title={words[name].meaning} className="flex gap-1.5">
      <dt>{words[name].label}</dt>
      <dd className="font-semibold text-text">
        {formatCount(items.reduce((sum, { quantity }) => sum + quantity, 0))}
      </dd>
    </div>
  );
}
