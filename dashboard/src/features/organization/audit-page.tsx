import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { nameProjects } from '../../lib/project-name.ts';
import { membersQuery, projectsQuery } from '../../lib/queries.ts';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { Empty, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SettingsNavigation } from '../../ui/layout/settings-navigation.tsx';
import { AuditEntryRow } from './audit-entry.tsx';
import { collectNames } from './audit-words.ts';
import { auditQuery, useOwnRole } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.auditPage;

/** The audit log, for owners. */
export function AuditPage() {
  const { isError, error, refetch } = useQuery(membersQuery);
  const role = useOwnRole();
  return (
    <Page title={words.auditLog}>
      <SettingsNavigation />
      {role === 'OWNER' && <AuditLog />}
      {role === 'MEMBER' && (
        <Empty sign="locked" title={words.notAllowed}>
          {words.notAllowedHint}
        </Empty>
      )}
      {!role && (isError ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />)}
    </Page>
  );
}

function AuditLog() {
  const { data: members = [] } = useQuery(membersQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const log = useInfiniteQuery(auditQuery);
  if (log.isPending) return <Skeleton rows={8} />;
  if (!log.data) return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  const entries = log.data.pages.flatMap(({ items }) => items);
  const names = new Map([
    ...collectNames(entries),
    ...nameProjects(projects),
    ...members.map(({ user }) => [user.id, user.name] as const),
  ]);
  if (entries.length === 0) {
    return <Empty title={words.none} />;
  }
  return (
    <>
      <ol aria-label={words.list} className="border-t border-line">
        {entries.map((entry) => (
          <AuditEntryRow key={entry.id} entry={entry} names={names} />
        ))}
      </ol>
      <LoadMore list={log} end={words.endOfLog} />
    </>
  );
}
