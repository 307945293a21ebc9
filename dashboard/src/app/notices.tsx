import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { request } from '../lib/api.ts';
import type { NoticeRecord } from '../lib/api-types.ts';
import { queryClient } from '../lib/queries.ts';
import { Button } from '../ui/controls/button.tsx';

const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => request<NoticeRecord[]>('GET', '/auth/notices', { signal }),
  staleTime: 60_000,
});

/** Changes of the user's membership made by others, above every page until dismissed. */
export function Notices() {
  const { data: notices = [] } = useQuery(noticesQuery);
  const dismiss = useMutation({
    mutationFn: (id: string) => request('DELETE', `/auth/notices/${id}`),
    // It may have been dismissed in another tab: then it is gone as well.
    onSettled: () => queryClient.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
  if (notices.length === 0) return null;
  return (
    <ul aria-label="Notices" className="border-b border-line">
      {notices.map((notice) => (
        <li key={notice.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-warn-soft px-4 py-2">
          <p className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
            <NoticeText notice={notice} />
          </p>
          <Button
            aria-label={`Dismiss the notice about ${notice.organization.name}`}
            busy={dismiss.isPending && dismiss.variables === notice.id}
            onClick={() => dismiss.mutate(notice.id)}
          >
            Dismiss
          </Button>
        </li>
      ))}
    </ul>
  );
}

function NoticeText({ notice: { kind, by, organization } }: { notice: NoticeRecord }) {
  if (kind === 'member_removed') {
    return (
      <>
        {by.name} removed you from {organization.name}. You now have your own organization.
      </>
    );
  }
  return (
    <>
      {by.name} added you to {organization.name}. Its members can view and edit what you create here. You can
      leave anytime under{' '}
      <Link to="/settings" className="underline underline-offset-2">
        Settings → Organization
      </Link>
      .
    </>
  );
}
