import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { describeProject } from '../../lib/project-name.ts';
import { serviceQuery } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Alert, QueryState } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { UnknownProject } from '../../ui/layout/unknown-project.tsx';
import { Checklist } from './checklist.tsx';
import { FirstEvent } from './first-event.tsx';
import { NewKey } from './new-key.tsx';
import { createAnotherKey, newestKeyQuery, projectQuery } from './queries.ts';
import { SetOffAlarm } from './set-off-alarm.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { texts } from './start-texts.ts';
import { KEY_PLACEHOLDER } from './ways.ts';

const words = texts.startPage;

/** The first steps of a project: its key, how to send events, and the first event. */
export function StartPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/start' });
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  // The height of the snippets follows from it: nothing below them moves.
  const { isPending } = useQuery(serviceQuery);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  if (project && !isPending) return <FirstSteps key={project.id} project={project} />;
  return <Page title={words.title}>{<QueryState query={{ error, refetch }} rows={6} />}</Page>;
}

function FirstSteps({ project }: { project: ProjectRecord }) {
  const { data: key } = useQuery(newestKeyQuery(project.id));
  const top = useRef<HTMLDivElement>(null);
  // The form of the page before had the focus.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <Page
      title={`${describeProject(project)} · ${words.title}`}
      heading={describeProject(project)}
      actions={
        <Link to="/projects/$projectId" params={{ projectId: project.id }} className={buttonClass()}>
          {words.projectSettings}
        </Link>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-2 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div ref={top} tabIndex={-1} className="min-w-0 outline-none">
          <Section title={words.yourKey}>
            {key ? <NewKey {...key} /> : <LostKey projectId={project.id} />}
          </Section>
          <Section title={words.sendAnEvent}>
            <SnippetTabs apiKey={key?.rawKey ?? KEY_PLACEHOLDER} project={project} />
            <FirstEvent projectId={project.id} />
          </Section>
          <SetOffAlarm project={project} />
        </div>
        <Checklist project={project} />
      </div>
    </Page>
  );
}

/** Offers another key in place of the one that was shown before. */
function LostKey({ projectId }: { projectId: string }) {
  const creation = useMutation({ mutationFn: () => createAnotherKey(projectId, texts.lostKey.name) });
  return (
    <>
      {creation.error && <Alert>{creation.error.message}</Alert>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line-strong bg-muted p-4">
        <p className="min-w-0 flex-1 basis-64">
          <strong className="font-semibold">{texts.lostKey.shownOnce}</strong>{' '}
          <span className="text-text-muted">{texts.lostKey.hint}</span>
        </p>
        <Button busy={creation.isPending} onClick={() => creation.mutate()}>
          {texts.lostKey.create}
        </Button>
      </div>
    </>
  );
}
