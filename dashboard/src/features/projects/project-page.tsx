import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../lib/api.ts';
import type { LedgerRecord, ProjectRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { describeProject } from '../../lib/project-name.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import type { MenuItem } from '../../ui/controls/menu-props.ts';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
import { LedgerCounts } from '../../ui/display/ledger-counts.tsx';
import { findLostItems } from '../../ui/display/lost-items.ts';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { UnknownProject } from '../../ui/layout/unknown-project.tsx';
import { ApiKeys } from './api-keys.tsx';
import { DeleteProject } from './delete-project.tsx';
import { DetectionNotes } from './detection-notes.tsx';
import { Environments } from './environments.tsx';
import { Hooks } from './hooks/hooks.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { ledgerQuery, projectQuery } from './queries.ts';
import { QuotaNotes } from './quota-notes.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { texts } from './texts.ts';
import { KEY_PLACEHOLDER } from './ways.ts';

const words = texts.projectPage;

export function ProjectPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId' });
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  if (project) return <KnownProject key={project.id} project={project} />;
  return <Page title={words.project}>{<QueryState query={{ error, refetch }} rows={6} />}</Page>;
}

function KnownProject({ project }: { project: ProjectRecord }) {
  return (
    <Page
      title={describeProject(project)}
      actions={
        <>
          <Link to="/events" search={{ project: project.id }} className={buttonClass()}>
            {words.viewEvents}
          </Link>
          <RowMenu of={project.name} items={placesOf(project.id)} />
        </>
      }
    >
      <QuotaNotes projectId={project.id} />
      <ProjectLedger projectId={project.id} />
      <DetectionNotes projectId={project.id} />
      <ProjectSettings project={project} />
      <Environments projectId={project.id} />
      <ApiKeys project={project} />
      <Hooks project={project} />
      <Section title={words.integrations}>
        <p className="mb-2 text-text-muted">
          {words.replace} <code className="font-mono">{KEY_PLACEHOLDER}</code> {words.withOneOfYours}
        </p>
        <SnippetTabs apiKey={KEY_PLACEHOLDER} project={project} />
      </Section>
      <DeleteProject project={project} />
    </Page>
  );
}

/** Links to the other pages about the project. */
function placesOf(projectId: string): MenuItem[] {
  const params = { projectId };
  return [
    { label: words.alerts, link: <Link to="/alerts" search={{ project: projectId }} /> },
    { label: words.data, link: <Link to="/projects/$projectId/data" params={params} /> },
    { label: words.requests, link: <Link to="/projects/$projectId/requests" params={params} /> },
    { label: words.firstSteps, link: <Link to="/projects/$projectId/start" params={params} /> },
  ];
}

function ProjectLedger({ projectId }: { projectId: string }) {
  const { data: ledger } = useQuery(ledgerQuery(projectId));
  return (
    <section aria-label={words.ledger} className="-mt-2 mb-6 min-h-10 sm:min-h-5">
      {ledger && <LedgerCounts ledger={ledger} />}
      {ledger && <RefusedItems ledger={ledger} />}
    </section>
  );
}

/** Number of items that were refused, by kind and reason; nothing if there are none. */
function RefusedItems({ ledger }: { ledger: LedgerRecord }) {
  const { refused } = findLostItems(ledger);
  if (refused.length === 0) return null;
  return (
    <p className="text-sm text-text-muted">
      {words.refused}{' '}
      {refused
        .map(({ kind, reason, quantity }) => words.refusal(formatCount(quantity), kind, reason))
        .join(' · ')}
    </p>
  );
}
