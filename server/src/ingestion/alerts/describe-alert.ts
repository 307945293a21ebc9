import type { ListedAlert } from '../../alerts/notice.ts';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import type { Severity } from '../../events/severity.ts';
import type { Changes } from '../event/changes.ts';
import { cutText } from '../event/cut-text.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import type { Alert } from './read-notification.ts';
import type { AlertBody } from './schema.ts';

/** Words of one alert, within the limits of events. */
export interface AlertDescription {
  type: string;
  severity: Severity;
  source: string | null;
  message: string;
  /** Title of an incident that it opens. */
  title: string;
  links: ListedAlert['links'];
  /** True for the alert that the test button of a contact point sends. */
  isTest: boolean;
}

const SEVERITIES: Partial<Record<string, Severity>> = {
  critical: 'critical',
  page: 'critical',
  error: 'error',
  high: 'error',
  major: 'error',
  warning: 'warn',
  warn: 'warn',
  info: 'info',
  none: 'info',
};

const MAX_TITLE_LENGTH = 200;
const MAX_LINK_LENGTH = 2_048;

/** Alert that Grafana's contact points send for a test. */
const TEST = 'TestAlert';

/** Alerts by which Grafana says that a rule has no result: they carry the annotations of the rule, which do not hold. */
const WITHOUT_RESULT: Partial<Record<string, string>> = {
  DatasourceNoData: 'No data for the rule',
  DatasourceError: 'No result, for an error, of the rule',
};

/** Describes an alert by its labels and annotations, and says if a text of its event is cut. */
export function describeAlert({ body }: Alert, changes: Changes): AlertDescription {
  const { labels, annotations } = body;
  const name = labels.alertname || 'alert';
  const problem = WITHOUT_RESULT[name];
  const message = problem
    ? `${problem} “${labels.rulename ?? 'unknown'}”`
    : annotations?.summary || annotations?.description || wordLabels(name, labels);
  const source = labels.service || labels.job || labels.namespace || null;
  return {
    type: changes.cut(name, MAX_TYPE_LENGTH),
    severity: severityOf(labels, problem ? 'warn' : 'error'),
    source: source && changes.cut(source, MAX_SOURCE_LENGTH),
    message: changes.cut(message, MAX_MESSAGE_LENGTH),
    title: cutText(message.startsWith(name) || problem ? message : `${name}: ${message}`, MAX_TITLE_LENGTH),
    links: linksOf(body),
    isTest: name === TEST,
  };
}

function severityOf({ alertname, severity }: Record<string, string>, usual: Severity): Severity {
  if (alertname === TEST) return 'info';
  return SEVERITIES[severity?.toLowerCase() ?? ''] ?? usual;
}

function linksOf({ generatorURL, silenceURL, dashboardURL, annotations }: AlertBody): ListedAlert['links'] {
  const links = [
    { name: 'alert', url: generatorURL },
    { name: 'runbook', url: annotations?.runbook_url },
    { name: 'silence', url: silenceURL },
    { name: 'dashboard', url: dashboardURL ?? annotations?.dashboard_url },
  ] as const;
  return links.flatMap(({ name, url }) => (url && isLink(url) ? [{ name, url }] : []));
}

function isLink(url: string): boolean {
  return url.length <= MAX_LINK_LENGTH && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
}

/** Words an alert without annotations: "DiskFull (instance db-1, job node)". */
function wordLabels(name: string, labels: Record<string, string>): string {
  const others = Object.entries(labels).filter(([key]) => key !== 'alertname' && key !== 'severity');
  if (others.length === 0) return name;
  return `${name} (${others.map(([key, value]) => `${key} ${value}`).join(', ')})`;
}
