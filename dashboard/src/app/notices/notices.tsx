import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { request } from '../../lib/api.ts';
import type { NoticeRecord } from '../../lib/api-types.ts';
import { formatCount, formatExactTime } from '../../lib/format.ts';
import { queryClient, serviceQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { MembershipNotice } from './membership-notice.tsx';
import { noticesQuery } from './notices-query.ts';
import { SignUpWarning } from './sign-up-warning.tsx';
import { texts } from './texts.ts';

const words = texts.notices;
const WARNINGS_INTERVAL_MS = 120_000;

/** Notices above every page, until the user dismisses them. */
export function Notices() {
  return (
    <>
      <SignUpWarning />
      <TargetWarning warning="failing_targets" />
      <TargetWarning warning="unconfirmed_targets" />
      <NoticeList />
    </>
  );
}

/** Tells OWNERs what is wrong with targets: messages do not arrive, or an address is not confirmed yet. */
function TargetWarning({ warning }: { warning: 'failing_targets' | 'unconfirmed_targets' }) {
  const { data: service } = useQuery({ ...serviceQuery, refetchInterval: WARNINGS_INTERVAL_MS });
  if (!service?.warnings.includes(warning)) return null;
  const { name, sentence } = words.targets[warning];
  return (
    <section aria-label={name} className="border-b border-line bg-warn-soft px-4 py-2 text-sm">
      {sentence}{' '}
      <Link to="/alerts/destinations" className="underline underline-offset-2">
        {words.notifications}
      </Link>
      .
    </section>
  );
}

/** Changes of the user's membership and account made by others, and what the service found about projects. */
function NoticeList() {
  const { data: notices = [] } = useQuery(noticesQuery);
  if (notices.length === 0) return null;
  return (
    <ul aria-label={words.name} className="border-b border-line">
      {notices.map((notice) => (
        <li key={notice.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-warn-soft px-4 py-2">
          <p className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
            {describeNotice(notice)}
            {notice.project && (
              <>
                {' '}
                <Link
                  to={
                    notice.kind === 'environment_unwatched'
                      ? '/projects/$projectId'
                      : '/projects/$projectId/data'
                  }
                  params={{ projectId: notice.project.id }}
                  className="underline underline-offset-2"
                >
                  {nameLink(notice)}
                </Link>
              </>
            )}
          </p>
          {notice.kind === 'member_added' ? (
            <MembershipNotice organization={notice.organization} />
          ) : (
            <Dismiss notice={notice} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Dismiss({ notice: { id, organization, project } }: { notice: NoticeRecord }) {
  const dismiss = useMutation({
    mutationFn: () => request('DELETE', `/auth/notices/${id}`),
    // After a failure, too: the notice may have been dismissed in another tab.
    onSettled: () => queryClient.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
  return (
    <Button
      aria-label={words.dismissNamed((project ?? organization).name)}
      busy={dismiss.isPending}
      onClick={() => dismiss.mutate()}
    >
      {words.dismiss}
    </Button>
  );
}

/** Names the page of a project that a notice leads to. */
function nameLink({ kind }: NoticeRecord): string {
  if (kind === 'quota_exceeded') return words.quotas;
  return kind === 'dead_letters' ? words.viewDeadLetters : words.environments;
}

function describeNotice({ kind, by, organization, project, ...about }: NoticeRecord): string {
  const actor = by?.name ?? '';
  switch (kind) {
    case 'member_removed':
      return words.removed(actor, organization.name);
    case 'recovery_link_created':
      return words.recoveryLink(actor);
    case 'totp_disabled':
      return words.totpDisabled(actor);
    case 'environment_unwatched':
      return words.unwatched(project?.name ?? '', about.environment ?? '');
    case 'dead_letters':
      return words.deadLetters(project?.name ?? '');
    case 'quota_exceeded': {
      const refused = formatCount(about.refused ?? 0);
      return words.overQuota(project?.name ?? '', formatExactTime(about.createdAt), refused);
    }
    default:
      return words.added(actor, organization.name);
  }
}
