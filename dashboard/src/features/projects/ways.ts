import type { Protocol } from './requests/protocol-status.tsx';
import {
  alertmanagerSnippet,
  checkInSnippet,
  cloudEventSnippet,
  curlSnippet,
  deploySnippet,
  expressSnippet,
  grafanaSnippet,
  otlpSnippet,
  pingSnippet,
  type SnippetFacts,
  sdkSnippet,
  sentrySnippet,
} from './snippets.ts';
import { texts } from './texts.ts';

const words = texts.snippetTabs;

/** Placeholder for a key in snippets: keys are shown only when they are created. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

/** A way to send: its snippet, ready to be pasted. */
interface Way {
  name: string;
  protocol: Protocol;
  title: string;
  /** Unset: the title names the place to set it up. */
  snippet?: (facts: SnippetFacts) => string;
  hint: string;
  /** True if the SDK is installed before. */
  needsSdk?: true;
}

export const WAYS: readonly Way[] = [
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
  { name: 'Stripe, GitHub', protocol: 'hooks', title: words.hooksPlace, hint: words.runHooks },
  { name: 'Pings', protocol: 'pings', title: words.pingFile, snippet: pingSnippet, hint: words.runPing },
  {
    name: 'CloudEvents',
    protocol: 'cloudevents',
    title: words.cloudEventFile,
    snippet: cloudEventSnippet,
    hint: words.runCloudEvent,
  },
  {
    name: 'Check-ins',
    protocol: 'check_ins',
    title: words.checkInFile,
    snippet: checkInSnippet,
    hint: words.runCheckIn,
  },
  {
    name: 'Deploys',
    protocol: 'deploys',
    title: words.deployFile,
    snippet: deploySnippet,
    hint: words.runDeploy,
  },
];
