import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { serviceQuery } from '../../lib/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { curlSnippet, expressSnippet, installSdkSnippet, sdkSnippet, sentrySnippet } from './snippets.ts';
import { texts } from './texts.ts';

const words = texts.snippetTabs;

interface SnippetTabsProps {
  /** Key, or its placeholder. */
  apiKey: string;
  project: Pick<ProjectRecord, 'name' | 'number'>;
}

/** Snippets that send events, ready to be pasted. */
export function SnippetTabs({ apiKey, project }: SnippetTabsProps) {
  const { data: service, error, refetch } = useQuery(serviceQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!service) return <Skeleton rows={1} rowClass="h-72" />;
  const installation = (
    <Snippet title={words.install} text={installSdkSnippet(service.publicUrl ?? location.origin)}>
      {words.inYourApp}
    </Snippet>
  );
  const facts = { apiKey, ingestUrl: service.ingestUrl, source: project.name, number: project.number };
  return (
    <Tabs
      label={words.name}
      tabs={[
        {
          name: 'curl',
          content: (
            <Snippet title={words.terminal} text={curlSnippet(facts)}>
              {words.sendsOne}
            </Snippet>
          ),
        },
        {
          name: 'SDK',
          content: (
            <>
              {installation}
              <Snippet title={words.sdkFile} text={sdkSnippet(facts)}>
                <Sentence text={words.runSdk} />
              </Snippet>
            </>
          ),
        },
        {
          name: 'Express',
          content: (
            <>
              {installation}
              <Snippet title={words.expressFile} text={expressSnippet(facts)}>
                <Sentence text={words.runExpress} />
              </Snippet>
            </>
          ),
        },
        {
          name: 'Sentry',
          content: (
            <Snippet title={words.sentryFile} text={sentrySnippet(facts)}>
              <Sentence text={words.runSentry} />
            </Snippet>
          ),
        },
      ]}
    />
  );
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
