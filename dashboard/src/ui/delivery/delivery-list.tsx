import type { ReactNode } from 'react';
import type { Delivery } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { texts as words } from './texts.ts';

interface DeliveryListProps {
  label: string;
  deliveries: Delivery[];
  /** Beginning of a row: its target, or its subject. */
  lead: (delivery: Delivery) => ReactNode;
}

/** Messages with their results: "On call, resolved: 22 Nov, 14:02:11, 200 in 180 ms". */
export function DeliveryList({ label, deliveries, lead }: DeliveryListProps) {
  return (
    <ul aria-label={label} className="text-sm">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="border-b border-line py-1.5">
          <p className="wrap-anywhere">
            {lead(delivery)}, {words.changes[delivery.change] ?? delivery.change}:{' '}
            <span className={delivery.state === 'failed' ? 'font-semibold text-critical' : ''}>
              {words.states[delivery.state]}
            </span>
          </p>
          <p className="text-xs wrap-anywhere text-text-muted">{detailsOf(delivery)}</p>
        </li>
      ))}
    </ul>
  );
}

function detailsOf({
  lastAttemptAt,
  createdAt,
  nextAttemptAt,
  status,
  elapsedMs,
  reason,
  attempts,
  isEdit,
}: Delivery): string {
  const parts = [formatExactTime(lastAttemptAt ?? createdAt)];
  if (status !== null && elapsedMs !== null) parts.push(words.answered(status, elapsedMs));
  if (isEdit) parts.push(words.edit);
  if (attempts > 1) parts.push(words.attempts(attempts));
  if (reason !== null) parts.push(reason);
  if (nextAttemptAt !== null && attempts > 0) parts.push(words.next(formatExactTime(nextAttemptAt)));
  return parts.join(' · ');
}
