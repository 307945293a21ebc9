import { useInfiniteQuery } from '@tanstack/react-query';
import type { Group, GroupHistoryRecord } from '../../../lib/api-types.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { isRegressed } from '../group-words.ts';
import { historyQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/** Says in which release a group came back, and who had resolved it in which. */
export function Regression({ group }: { group: Group }) {
  const isBack = isRegressed(group);
  const { data } = useInfiniteQuery({ ...historyQuery(group.id), enabled: isBack });
  if (!isBack || group.regressedAt === null) return null;
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <p className="mt-2 w-fit rounded-md bg-warn-soft px-2 py-1 text-sm">
      {describeRegression(entries)} <RelativeTime at={group.regressedAt} className="text-text-muted" />
    </p>
  );
}

/** `Regressed in 4.18.1 after it was resolved in 4.17.0 by Ada Lovelace`. @param entries newest first */
function describeRegression(entries: readonly GroupHistoryRecord[]): string {
  const at = entries.findIndex(
    ({ userId, before, after }) =>
      userId === null && before['state'] === 'resolved' && after['state'] === 'open',
  );
  const regression = entries[at];
  const resolution = entries.slice(at + 1).find(({ after }) => after['state'] === 'resolved');
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return texts.page.regressed(
    textOf(regression?.after['regressedIn']),
    textOf(regression?.before['resolvedIn']),
    resolution?.userName ?? null,
  );
}
