import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Failure, Skeleton } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { groupQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { useGroupNews } from '../use-group-news.ts';

/** A group: what it is, how often it comes, and what was done about it. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/inside/groups/$groupId' });
  const { data: group, error, refetch } = useQuery(groupQuery(groupId));
  useGroupNews();
  if (!group)
    return (
      <Page title={texts.page.title}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />}
      </Page>
    );
  return <Page title={group.title}>{group.key}</Page>;
}
