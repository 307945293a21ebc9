import { useQuery } from '@tanstack/react-query';
import { serviceQuery } from '../../lib/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { texts } from './texts.ts';

/** The snippet with which a pipeline reports its deploys, to the environment of the project; undefined: of several. */
export function DeploySnippet({ environment }: { environment: string | undefined }) {
  const { data: service } = useQuery(serviceQuery);
  if (!service) return null;
  const snippet = deploySnippet(service.ingestUrl, environment);
  return (
    <Section title={texts.ci.title} actions={<CopyButton text={snippet} label={texts.ci.copy} />}>
      <p className="mb-2 text-sm text-text-muted">{texts.ci.text}</p>
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-muted p-3 font-mono text-sm leading-relaxed"
      >
        <code>{snippet}</code>
      </pre>
    </Section>
  );
}

/** Returns a shell command that reads the key and the release from the environment, and repeats a failed attempt. */
function deploySnippet(ingestUrl: string, environment: string | undefined): string {
  const named = environment === undefined ? '' : String.raw`, \"environment\": \"${environment}\"`;
  return [
    `curl --fail --retry 5 --retry-all-errors "${ingestUrl}/ingest/deploys" \\`,
    '  -H "X-Api-Key: $TOCSIN_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    String.raw`  -d "{\"release\": \"$RELEASE\"${named}}"`,
  ].join('\n');
}
