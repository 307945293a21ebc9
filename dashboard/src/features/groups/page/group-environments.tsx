import { Link } from '@tanstack/react-router';
import type { GroupDetail } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import { texts } from '../texts.ts';

/** The environments of a group, with their counts where it has several. */
export function GroupEnvironments({ group }: { group: GroupDetail }) {
  const { counts = group.environments.map((environment) => ({ environment, count: null })), from } =
    group.environmentCounts ?? {};
  const counted = counts.reduce((sum, { count }) => sum + (count ?? 0), 0);
  return (
    <>
      {counts.map(({ environment, count }) => (
        <Link
          key={environment}
          to="/events"
          search={{ project: group.projectId, group_id: group.id, environment, range: '7d' }}
          className="mr-2 inline-block min-w-6 leading-6 wrap-anywhere hover:underline"
        >
          {environment}
          {count !== null && ` ${formatCount(count)}`}
        </Link>
      ))}
      {from && <span className="text-text-muted">{texts.page.inNewest(formatCount(counted), true)}</span>}
    </>
  );
}
