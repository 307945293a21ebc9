import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { GroupDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount, formatUsers } from '../../../lib/format.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { Initials } from '../../../ui/display/initials.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { useTitle } from '../../../ui/layout/page.tsx';
import { SilenceSlot } from '../../../ui/silences/silence-slot.tsx';
import { ChangeButtons, UndoButton } from '../change/change-buttons.tsx';
import { holdChange, undoChange, useHeldChange } from '../change/held-change.ts';
import { GroupMarks } from '../group-marks.tsx';
import { describeState } from '../group-words.ts';
import { texts } from '../texts.ts';
import { GroupEnvironments } from './group-environments.tsx';
import { Regression } from './regression.tsx';
import { ShareGroup } from './share-group.tsx';

/** The head of a group: its title, its main facts in one line, and its actions. */
export function GroupHead({ group }: { group: GroupDetail }) {
  const { key, title, culprit, severity, count, users, firstSeen, lastSeen, firstRelease, lastRelease } =
    group;
  const { failedPayments } = group;
  const now = useNow();
  const held = useHeldChange();
  const isHeld = held?.groups.some(({ id }) => id === group.id) ?? false;
  const assignee = useMemberName(group.assigneeId);
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === group.projectId);
  const { change: opens } = useSearch({ from: '/inside/groups/$groupId' });
  const navigate = useNavigate({ from: '/groups/$groupId' });
  // Opens once: a reload and the way back do not open it again.
  useEffect(() => {
    if (opens) void navigate({ search: (previous) => ({ ...previous, change: undefined }), replace: true });
  }, [opens, navigate]);
  useTitle(`${key} ${title}`);
  return (
    <header className="mb-4">
      <p className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-muted">
        <span className="font-medium text-text">{key}</span>
        <SeverityGlyph severity={severity} withWord />
        <span aria-live="polite" className="font-medium text-text">
          {describeState(group, now)}
        </span>
        <GroupMarks group={group} />
        <Link to="/projects/$projectId" params={{ projectId: group.projectId }} className="hover:underline">
          {project ? describeProject(project) : texts.page.project}
        </Link>
        {group.assigneeId && (
          <span className="inline-flex items-center gap-1.5">
            <Initials userId={group.assigneeId} />
            <span aria-hidden="true">{assignee}</span>
          </span>
        )}
      </p>
      <h1 className="line-clamp-3 wrap-anywhere">
        <Message text={title} />
      </h1>
      {culprit && <p className="mt-0.5 font-mono text-sm wrap-anywhere text-text-muted">{culprit}</p>}
      <Regression group={group} />
      <dl className="mt-2 mb-3 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <Fact name={texts.page.events}>{formatCount(count)}</Fact>
        <Fact name={texts.page.users}>{users === 0 ? texts.page.none : formatUsers(users)}</Fact>
        {failedPayments && <Fact name={texts.page.payments}>{failedPayments.text}</Fact>}
        <Fact name={texts.page.firstSeen}>
          <RelativeTime at={firstSeen} />
          {firstRelease !== null && (
            <Release project={group.projectId} group={group.id} version={firstRelease} />
          )}
        </Fact>
        <Fact name={texts.page.lastSeen}>
          <RelativeTime at={lastSeen} />
          {lastRelease !== null && (
            <Release project={group.projectId} group={group.id} version={lastRelease} />
          )}
        </Fact>
        <Fact name={texts.page.environments}>
          <GroupEnvironments group={group} />
        </Fact>
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        {isHeld && held ? (
          <>
            <span role="status" className="text-sm">
              {texts.change.held(held.patch, 1)}
            </span>
            <UndoButton onUndo={undoChange} />
          </>
        ) : (
          <ChangeButtons groups={[group]} onChange={(patch) => holdChange([group], patch)} opens={opens} />
        )}
        <SilenceSlot
          id={group.id}
          projectId={group.projectId}
          type={group.type}
          source={group.source}
          groupKey={key}
        />
        <Link
          to="/events"
          search={{ group_id: group.id, project: group.projectId, range: '7d' }}
          className="px-2 text-sm text-accent hover:underline"
        >
          {texts.page.allEvents}
        </Link>
        <ShareGroup group={group} project={project ? describeProject(project) : null} />
      </div>
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ReleaseProps {
  project: string;
  group: string;
  version: string;
}

/** Leads to the events of the group with this release. */
function Release({ project, group, version }: ReleaseProps) {
  return (
    <>
      {' '}
      <span className="text-text-muted">{texts.page.inRelease}</span>{' '}
      <Link
        to="/events"
        search={{ project, group_id: group, release: version, range: '7d' }}
        className="font-mono text-xs wrap-anywhere hover:underline"
      >
        {version}
      </Link>
    </>
  );
}
