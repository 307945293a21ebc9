import { useQuery } from '@tanstack/react-query';
import type { ProjectRequests } from '../../../lib/api-types.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { requestsQuery } from './queries.ts';
import { texts } from './texts.ts';

export type Protocol = ProjectRequests['keys'][number]['protocol'];

const words = texts.status;

/** The last request by a protocol, and what was refused. Empty if none is counted: the events of others may have arrived. */
export function ProtocolStatus({ projectId, protocol }: { projectId: string; protocol: Protocol }) {
  const { data: requests } = useQuery(requestsQuery(projectId));
  if (!requests) return <p className="min-h-5 text-sm" />;
  const lines = requests.keys.filter((line) => line.protocol === protocol);
  const refusals = lines.flatMap((line) => line.refusals);
  const times = [...lines.map((line) => line.lastAcceptedAt ?? ''), ...refusals.map(({ lastAt }) => lastAt)];
  const last = times.toSorted().at(-1);
  return (
    <p className="min-h-5 text-sm text-text-muted">
      {last && (
        <>
          {words.last} <RelativeTime at={last} />.{' '}
        </>
      )}
      {refusals.length > 0 &&
        `${words.refused} ${sumByReason(refusals)
          .map(([reason, quantity]) => texts.refusal(quantity, reason))
          .join(' · ')}.`}
    </p>
  );
}

function sumByReason(refusals: readonly { reason: string; quantity: number }[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { reason, quantity } of refusals) sums.set(reason, (sums.get(reason) ?? 0) + quantity);
  return [...sums];
}
