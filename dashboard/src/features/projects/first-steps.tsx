import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { NewProjectRecord } from '../../lib/api-types.ts';
import { Page, Section } from '../../ui/layout/page.tsx';
import { FirstEvent } from './first-event.tsx';
import { NewKey } from './new-key.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { texts } from './texts.ts';

const words = texts.firstSteps;

/** The steps after the creation of a project: its key, how to send events, and the first event. */
export function FirstSteps({ project }: { project: NewProjectRecord }) {
  const top = useRef<HTMLDivElement>(null);
  // The removed form had the focus.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <Page title={project.name}>
      <div ref={top} tabIndex={-1} className="outline-none">
        <Section title={words.yourKey}>
          <NewKey rawKey={project.apiKey} dsn={project.dsn} />
          <p className="mt-2 text-sm text-text-muted">
            {words.lostIt}{' '}
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              className="text-accent underline"
            >
              {words.settings}
            </Link>
            .
          </p>
        </Section>
        <Section title={words.sendAnEvent}>
          <SnippetTabs apiKey={project.apiKey} project={project} />
        </Section>
        <FirstEvent projectId={project.id} />
      </div>
    </Page>
  );
}
