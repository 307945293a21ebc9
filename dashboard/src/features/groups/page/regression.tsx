import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
  const { release, resolvedIn, by } = findRegression(data?.pages.flatMap(({ items }) => items) ?? []);
  return (
    <p className="mt-2 w-fit rounded-md bg-warn-soft px-2 py-1 text-sm">
      {texts.page.regressed(release, resolvedIn, by)}{' '}
      <RelativeTime at={group.regressedAt} className="text-text-muted" />{' '}
      {release && (
        <Link
          to="/releases/compare"
          search={{
            project: group.projectId,
            release,
            base: release === resolvedIn ? undefined : (resolvedIn ?? undefined),
          }}
          className="text-accent underline underline-offset-2"
        >
          {texts.page.compare}
        </Link>
      )}
    </p>
  );
}

/** @param entries newest first */
function findRegression(entries: readonly GroupHistoryRecord[]) {
  const at = entries.findIndex(
    ({ userId, before, after }) =>
      userId === null && before['state'] === 'resolved' && after['state'] === 'open',
  );
  const regression = entries[at];
  const resolution = entries.slice(at + 1).find(({ after }) => after['state'] === 'resolved');
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    release: textOf(regression?.after['regressedIn']),
    resolvedIn: textOf(regression?.before['resolvedIn']),
    by: resolution?.userName ?? null,
  };
}
