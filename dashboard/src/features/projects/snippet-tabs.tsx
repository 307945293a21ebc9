import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { serviceQuery } from '../../lib/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { type Protocol, ProtocolStatus } from './requests/protocol-status.tsx';
import {
  alertmanagerSnippet,
  cloudEventSnippet,
  curlSnippet,
  expressSnippet,
  grafanaSnippet,
  installSdkSnippet,
  otlpSnippet,
  pingSnippet,
  type SnippetFacts,
  sdkSnippet,
  sentrySnippet,
} from './snippets.ts';
import { texts } from './texts.ts';

const words = texts.snippetTabs;

interface SnippetTabsProps {
  /** Key, or its placeholder. */
  apiKey: string;
  project: Pick<ProjectRecord, 'id' | 'name' | 'number'>;
}

/** A way to send: its snippet, ready to be pasted. */
interface Way {
  name: string;
  protocol: Protocol;
  title: string;
  snippet: (facts: SnippetFacts) => string;
  hint: string;
  /** True if the SDK is installed before. */
  needsSdk?: true;
}

const WAYS: readonly Way[] = [
  { name: 'curl', protocol: 'events', title: words.terminal, snippet: curlSnippet, hint: words.sendsOne },
  {
    name: 'SDK',
    protocol: 'events',
    title: words.sdkFile,
    snippet: sdkSnippet,
    hint: words.runSdk,
    needsSdk: true,
  },
  {
    name: 'Express',
    protocol: 'events',
    title: words.expressFile,
    snippet: expressSnippet,
    hint: words.runExpress,
    needsSdk: true,
  },
  {
    name: 'Sentry',
    protocol: 'sentry',
    title: words.sentryFile,
    snippet: sentrySnippet,
    hint: words.runSentry,
  },
  {
    name: 'OpenTelemetry',
    protocol: 'otlp',
    title: words.otlpFile,
    snippet: otlpSnippet,
    hint: words.runOtlp,
  },
  {
    name: 'Alertmanager',
    protocol: 'alertmanager',
    title: words.alertmanagerFile,
    snippet: alertmanagerSnippet,
    hint: words.runAlertmanager,
  },
  {
    name: 'Grafana',
    protocol: 'grafana',
    title: words.grafanaFile,
    snippet: grafanaSnippet,
    hint: words.runGrafana,
  },
  { name: 'Pings', protocol: 'pings', title: words.pingFile, snippet: pingSnippet, hint: words.runPing },
  {
    name: 'CloudEvents',
    protocol: 'cloudevents',
    title: words.cloudEventFile,
    snippet: cloudEventSnippet,
    hint: words.runCloudEvent,
  },
];

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
        <Snippet title={title} text={snippet(facts)}>
          <Sentence text={hint} />
        </Snippet>
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
