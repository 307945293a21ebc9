import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { numberOfKey } from '../../../../../server/src/tenancy/projects/group-key.ts';
import { ApiError } from '../../../lib/api.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { Empty, QueryState } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { useHeldChange, withHeldChange } from '../change/held-change.ts';
import { groupQuery, keyedGroupQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { useGroupNews } from '../use-group-news.ts';
import { AffectedUsers } from './affected-users.tsx';
import { GroupChart } from './group-chart.tsx';
import { GroupEvent } from './group-event.tsx';
import { GroupHead } from './group-head.tsx';
import { GroupHistory } from './group-history.tsx';
import { GroupIncidents } from './group-incidents.tsx';
import { GroupReleases } from './group-releases.tsx';
import { MergedGroups } from './merged-groups.tsx';

/** The page of the group that the address names by its id or its key, such as `SHOP-12`. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/inside/groups/$groupId' });
  return numberOfKey(groupId) === null ? <GroupOfId groupId={groupId} /> : <GroupOfKey groupKey={groupId} />;
}

function GroupOfKey({ groupKey }: { groupKey: string }) {
  const { data: group, error, refetch } = useQuery(keyedGroupQuery(groupKey));
  if (group) return <GroupOfId groupId={group.id} />;
  return (
    <Page title={texts.title}>
      {group === undefined ? (
        <QueryState query={{ error, refetch }} rows={8} />
      ) : (
        <NoGroup hint={texts.page.noKey(groupKey.toUpperCase())} />
      )}
    </Page>
  );
}

/** A group on one page: its head, its counts, the affected users, and its history. */
function GroupOfId({ groupId }: { groupId: string }) {
  const navigate = useNavigate();
  const { data: group, error, refetch } = useQuery(groupQuery(groupId));
  const held = useHeldChange();
  useGroupNews();
  useShortcuts([{ keys: 'u', label: texts.keys.back, run: () => void navigate({ to: '/groups' }) }]);
  if (!group) {
    return (
      <Page title={texts.title}>
        {error instanceof ApiError && error.status === 404 ? (
          <NoGroup hint={texts.page.notFoundHint} />
        ) : (
          <QueryState query={{ error, refetch }} rows={8} />
        )}
      </Page>
    );
  }
  return (
    <div key={group.id} className="max-w-[1200px] px-4 py-4">
      <GroupHead group={{ ...group, ...withHeldChange(group, held) }} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col">
          <GroupChart group={group} />
          <div className="max-sm:order-first">
            <GroupEvent group={group} />
          </div>
        </div>
        <div className="min-w-0">
          <AffectedUsers group={group} />
          <GroupReleases group={group} />
          <GroupIncidents group={group} />
          <MergedGroups group={group} />
          <GroupHistory group={group} />
        </div>
      </div>
    </div>
  );
}

function NoGroup({ hint }: { hint: string }) {
  return (
    <Empty
      sign="lost"
      title={texts.page.notFound}
      action={
        <Link to="/groups" className={buttonClass('primary')}>
          {texts.page.allGroups}
        </Link>
      }
    >
      {hint}
    </Empty>
  );
}
