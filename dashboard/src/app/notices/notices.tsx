import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { request } from '../../lib/api.ts';
import type { NoticeRecord } from '../../lib/api-types.ts';
import { formatCount, formatExactTime } from '../../lib/format.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { MembershipNotice } from './membership-notice.tsx';
import { noticesQuery } from './notices-query.ts';
import { texts } from './texts.ts';
import type { Banners } from './use-banners.ts';

const words = texts.notices;
/** Address of the page that tells about targets by itself. */
const TOLD_AT = '/alerts/destinations';

/** Notices above every page. */
export function Notices({ banners }: { banners: Banners }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { warnings, notices, fold } = banners;
  return (
    <>
      {warnings.includes('open_signup') && (
        <Warning name={words.signUp.name} button={words.signUp} onFold={() => fold('open_signup')}>
          {words.signUp.sentence}
        </Warning>
      )}
      {(['failing_targets', 'unconfirmed_targets'] as const)
        .filter((warning) => path !== TOLD_AT && warnings.includes(warning))
        .map((warning) => {
          const { name, sentence } = words.targets[warning];
          const button = { fold: words.hide, foldNamed: words.hideNamed(name) };
          return (
            <Warning key={warning} name={name} button={button} onFold={() => fold(warning)}>
              {sentence}{' '}
              <Link to={TOLD_AT} className="underline underline-offset-2">
                {words.notifications}
              </Link>
              .
            </Warning>
          );
        })}
      <NoticeList notices={notices} />
    </>
  );
}

interface WarningProps {
  name: string;
  button: { fold: string; foldNamed: string };
  onFold: () => void;
  children: ReactNode;
}

/** Tells OWNERs what is wrong: anyone can sign up, messages do not arrive, or an address is not confirmed yet. */
function Warning({ name, button, onFold, children }: WarningProps) {
  return (
    <section
      aria-label={name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warn-soft px-4 py-1 text-sm"
    >
      <p className="min-w-0 flex-1 basis-64">{children}</p>
      <Button variant="ghost" aria-label={button.foldNamed} onClick={onFold}>
        {button.fold}
      </Button>
    </section>
  );
}

/** Changes of the user's membership and account made by others, and what the service found about projects. */
function NoticeList({ notices }: Pick<Banners, 'notices'>) {
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
    case 'database_rewound': {
      const { from = null, until = about.createdAt } = about.lost ?? {};
      return words.databaseRewound(from && formatExactTime(from), formatExactTime(until));
    }
    default:
      return words.added(actor, organization.name);
  }
}
