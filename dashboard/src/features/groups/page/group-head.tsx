import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GroupDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatAgo, formatCount, formatUsers } from '../../../lib/format.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { Initials } from '../../../ui/display/initials.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { HeadFact, PageHead } from '../../../ui/layout/page-head.tsx';
import { GroupMarks } from '../group-marks.tsx';
import { describeState } from '../group-words.ts';
import { texts } from '../texts.ts';
import { GroupActions } from './group-actions.tsx';
import { GroupEnvironments } from './group-environments.tsx';
import { Regression } from './regression.tsx';

/** The head of a group: its title, its counts, its main facts, and its actions. */
export function GroupHead({ group }: { group: GroupDetail }) {
  const { key, title, culprit, severity, count, users, lastSeen } = group;
  const now = useNow();
  const assignee = useMemberName(group.assigneeId);
  const owner = group.assigneeId ? (assignee ?? texts.list.unknownMember) : texts.page.noOne;
  const figure = {
    value: formatCount(count),
    details: [
      texts.page.eventsInAll(count),
      users === 0 ? texts.page.noUsers : texts.counts.users(formatUsers(users)),
    ].join(' · '),
  };
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === group.projectId);
  return (
    <PageHead
      title={`${key} ${title}`}
      heading={<Message text={title} />}
      context={
        <>
          <span className="font-medium text-text">{key}</span>
          <SeverityGlyph severity={severity} withWord />
          <span aria-live="polite" className="font-medium text-text">
            {describeState(group, now)}
          </span>
          <GroupMarks group={group} />
          <Link
            to="/projects/$projectId"
            params={{ projectId: group.projectId }}
            className="min-w-24 flex-1 basis-0 truncate hover:underline"
          >
            {project ? describeProject(project) : texts.page.project}
          </Link>
        </>
      }
      below={
        <>
          {culprit && <p className="mt-0.5 font-mono text-sm wrap-anywhere text-text-muted">{culprit}</p>}
          <Regression group={group} />
        </>
      }
      figure={figure}
      sentence={texts.page.sentence({
        severity,
        state: describeState(group, now),
        owner: group.assigneeId ? texts.page.assignedTo(owner) : texts.list.unassigned.toLowerCase(),
        figure: [figure.value, figure.details].join(' '),
        lastSeen: formatAgo(Date.parse(lastSeen), now),
      })}
      facts={<GroupFacts group={group} owner={owner} />}
      actions={<GroupActions group={group} project={project ? describeProject(project) : null} />}
    />
  );
}

/** The times of a group, its assignee, its payments and its environments. */
function GroupFacts({ group, owner }: { group: GroupDetail; owner: string }) {
  const { firstSeen, lastSeen, firstRelease, lastRelease, failedPayments } = group;
  return (
    <>
      <HeadFact name={texts.page.lastSeen}>
        <RelativeTime at={lastSeen} />
        {lastRelease !== null && <Release project={group.projectId} group={group.id} version={lastRelease} />}
      </HeadFact>
      <HeadFact name={texts.page.firstSeen}>
        <RelativeTime at={firstSeen} />
        {firstRelease !== null && (
          <Release project={group.projectId} group={group.id} version={firstRelease} />
        )}
      </HeadFact>
      <HeadFact name={texts.list.assignee}>
        {group.assigneeId ? (
          <span className="inline-flex items-center gap-1.5">
            <Initials userId={group.assigneeId} />
            <span aria-hidden="true">{owner}</span>
          </span>
        ) : (
          owner
        )}
      </HeadFact>
      {failedPayments && <HeadFact name={texts.page.payments}>{failedPayments.text}</HeadFact>}
      <HeadFact name={texts.page.environments}>
        <GroupEnvironments group={group} />
      </HeadFact>
    </>
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
        title={version}
        className="inline-block max-w-full truncate align-bottom font-mono text-xs leading-6 hover:underline lg:max-w-96"
      >
        {version}
      </Link>
    </>
  );
}
