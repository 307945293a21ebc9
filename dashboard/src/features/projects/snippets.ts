export interface SnippetFacts {
  apiKey: string;
  ingestUrl: string;
  /** Source of the snippet's events: the project's name, which may hold any character. */
  source: string;
  /** Number of the project, for its DSN. */
  number: number;
}

/** Returns a shell command that sends one event. */
export function curlSnippet(facts: SnippetFacts): string {
  const event = { type: 'checkout', severity: 'INFO', source: facts.source, message: 'My first event' };
  return postSnippet(facts, { path: '/ingest/events', type: 'application/json', body: event });
}

/** Returns a shell command that sends one CloudEvent. */
export function cloudEventSnippet(facts: SnippetFacts): string {
  const data = { source: facts.source };
  const event = { specversion: '1.0', id: '1', source: '/checkout', type: 'checkout', data };
  return postSnippet(facts, {
    path: '/ingest/cloudevents',
    type: 'application/cloudevents+json',
    body: event,
  });
}

/** Returns a shell command that reports a deploy. */
export function deploySnippet(facts: SnippetFacts): string {
  return postSnippet(facts, {
    path: '/ingest/deploys',
    type: 'application/json',
    body: { release: '1.0.0' },
  });
}

/** Returns a shell command that checks in for a schedule, which its first check-in declares. */
export function checkInSnippet(facts: SnippetFacts): string {
  const body = { schedule: { cron: '0 3 * * *', timeZone: 'UTC' } };
  return postSnippet(facts, { path: '/ingest/check-ins/nightly-backup', type: 'application/json', body });
}

function postSnippet(
  { apiKey, ingestUrl }: SnippetFacts,
  { path, type, body }: { path: string; type: string; body: object },
): string {
  return [
    `curl ${shellText(`${ingestUrl}${path}`)} \\`,
    `  -H ${shellText(`X-Api-Key: ${apiKey}`)} \\`,
    `  -H ${shellText(`Content-Type: ${type}`)} \\`,
    `  -d ${shellText(JSON.stringify(body))}`,
  ].join('\n');
}

/**
 * Returns a shell command that installs the SDK, which is on no registry, from the service itself.
 * @param serviceUrl address of the management port
 */
export function installSdkSnippet(serviceUrl: string): string {
  return `npm install ${shellText(new URL('/sdk.tgz', serviceUrl).href)}`;
}

/** Returns a program that sends one event and one error. */
export function sdkSnippet({ apiKey, ingestUrl, source }: SnippetFacts): string {
  return `import { Tocsin } from '@tocsin/sdk';

const tocsin = new Tocsin({
  apiKey: ${scriptText(apiKey)},
  baseUrl: ${scriptText(ingestUrl)},
});

await tocsin.capture({
  type: 'checkout',
  severity: 'info',
  source: ${scriptText(source)},
  message: 'My first event',
});

try {
  JSON.parse('{"total": 42');
} catch (error) {
  await tocsin.captureError(error, { correlation: { service: ${scriptText(source)} } });
}
`;
}

/** Returns a web application that reports its errors, and has one to report. */
export function expressSnippet({ apiKey, ingestUrl, source }: SnippetFacts): string {
  return `import { Tocsin } from '@tocsin/sdk';
import express from 'express';

const tocsin = new Tocsin({
  apiKey: ${scriptText(apiKey)},
  baseUrl: ${scriptText(ingestUrl)},
});
const app = express();

app.get('/', () => {
  throw new Error('My first error');
});

// Goes last. Not awaited: the response does not wait for the report, which never throws.
app.use((error, request, response, next) => {
  const status = error.status ?? 500;
  if (status >= 500) {
    void tocsin.captureError(error, {
      status_code: status,
      path: request.path,
      method: request.method,
      correlation: { service: ${scriptText(source)} },
    });
  }
  if (response.headersSent) next(error);
  else response.status(status).json({ error: status >= 500 ? 'Something went wrong.' : error.message });
});

app.listen(Number(process.env.PORT ?? 3000));
`;
}

/** Returns the address with the key that a client of Sentry is set up with. */
export function dsnOf({ apiKey, ingestUrl, number }: Omit<SnippetFacts, 'source'>): string {
  return `${ingestUrl.replace('://', `://${apiKey}@`)}/${number}`;
}

/** Returns the address that takes envelopes from pages. */
export function tunnelOf({ ingestUrl, number }: Pick<SnippetFacts, 'ingestUrl' | 'number'>): string {
  return `${ingestUrl}/t/${number}`;
}

/** Returns a program that sends an error through Sentry's own client. */
export function sentrySnippet(facts: SnippetFacts): string {
  return `import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: ${scriptText(dsnOf(facts))},
  // In a page whose visitors block trackers, with a key for browsers:
  // tunnel: ${scriptText(tunnelOf(facts))},
});

Sentry.captureException(new Error('My first error'));
`;
}

/** Returns the variables that exporters of OpenTelemetry read. */
export function otlpSnippet({ apiKey, ingestUrl }: SnippetFacts): string {
  return [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${shellText(ingestUrl)}`,
    `OTEL_EXPORTER_OTLP_HEADERS=${shellText(`x-api-key=${apiKey}`)}`,
    'OTEL_METRICS_EXPORTER=none',
  ].join('\n');
}

/** Returns a receiver of Alertmanager. */
export function alertmanagerSnippet({ apiKey, ingestUrl }: SnippetFacts): string {
  return `receivers:
  - name: tocsin
    webhook_configs:
      - url: ${ingestUrl}/ingest/alertmanager
        http_config:
          authorization:
            credentials: ${apiKey}
`;
}

/** Returns the values of a contact point of Grafana. */
export function grafanaSnippet({ apiKey, ingestUrl }: SnippetFacts): string {
  return [
    `URL: ${ingestUrl}/ingest/grafana`,
    'Authorization Header - Scheme: Bearer',
    `Authorization Header - Credentials: ${apiKey}`,
  ].join('\n');
}

/** Returns a shell command by which a job reports its success. */
export function pingSnippet({ ingestUrl }: SnippetFacts): string {
  const address = `${ingestUrl}/ping/YOUR_PING_KEY/nightly-backup?create=1`;
  return `curl -fsS -m 10 --retry 5 -o /dev/null ${shellText(address)}`;
}

/** Quotes a text as one word of a POSIX shell: in single quotes only the quote itself has a meaning. */
export function shellText(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a text as a JavaScript literal. */
export function scriptText(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inside}'`;
}
