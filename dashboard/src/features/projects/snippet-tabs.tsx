import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { serviceQuery } from '../../lib/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { ProtocolStatus } from './requests/protocol-status.tsx';
import { installSdkSnippet } from './snippets.ts';
import { texts } from './texts.ts';
import { WAYS } from './ways.ts';

const words = texts.snippetTabs;

interface SnippetTabsProps {
  /** Key, or its placeholder. */
  apiKey: string;
  project: Pick<ProjectRecord, 'id' | 'name' | 'number'>;
}

/** Ways to send events, each with its snippet and what came by it. */
export function SnippetTabs({ apiKey, project }: SnippetTabsProps) {
  const { data: service, error, refetch } = useQuery(serviceQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!service) return <Skeleton rows={1} rowClass="h-72" />;
  const facts = { apiKey, ingestUrl: service.ingestUrl, source: project.name, number: project.number };
  const tabs = WAYS.map(({ name, protocol, title, snippet, hint, needsSdk }) => ({
    name,
    content: (
      <>
        {needsSdk && (
          <Snippet title={words.install} text={installSdkSnippet(service.publicUrl ?? location.origin)}>
            {words.inYourApp}
          </Snippet>
        )}
        {snippet ? (
          <Snippet title={title} text={snippet(facts)}>
            <Sentence text={hint} />
          </Snippet>
        ) : (
          <p className="mb-4 text-sm text-text-muted">
            {hint}{' '}
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              className="text-accent underline"
            >
              {title}
            </Link>
          </p>
        )}
        <ProtocolStatus projectId={project.id} protocol={protocol} />
      </>
    ),
  }));
  return <Tabs label={words.name} tabs={tabs} />;
}

function Snippet({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-4">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="min-w-0 flex-1 basis-full sm:basis-48 text-sm text-text-muted">{children}</p>
        <CopyButton text={text} label={words.copy} />
      </div>
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-muted p-3 font-mono text-sm leading-relaxed"
      >
        <code>{text}</code>
      </pre>
    </section>
  );
}
