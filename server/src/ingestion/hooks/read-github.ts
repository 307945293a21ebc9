import { MAX_ENVIRONMENT_LENGTH } from '../../environments/fold-environment.ts';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import type { Severity } from '../../events/severity.ts';
import type { JsonObject } from '../../platform/json/json-object.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { MAX_RELEASE_LENGTH } from '../../releases/limits.ts';
import { Changes } from '../event/changes.ts';
import { toCorrelation } from '../event/correlation.ts';
import { cutText } from '../event/cut-text.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import { type DeliveredRequest, type Delivery, objectIn, parseObject, readId, textIn } from './delivery.ts';

const FORM = /^application\/x-www-form-urlencoded\b/i;
const FAILED_CONCLUSIONS = new Set(['failure', 'timed_out', 'startup_failure']);
const MAX_DEPLOY_AGE_MS = 29 * 24 * 60 * 60_000;

/** Reads a delivery of GitHub: a successful deployment becomes a deploy, anything else an event. */
export function readGithub({ headers, body, receivedAtMs }: DeliveredRequest): Delivery {
  const id = readId(headers['x-github-delivery'], 'X-GitHub-Delivery');
  const event = readId(headers['x-github-event'], 'X-GitHub-Event');
  const { value, isChanged } = parseObject(jsonOf(body, headers['content-type']));
  if (event === 'deployment_status' && textIn(objectIn(value, event), 'state') === 'success') {
    const deploy = readDeployment(value, receivedAtMs);
    if (deploy) return { id, deploy };
  }
  const subject = objectIn(value, event);
  const changes = new Changes();
  changes.add('fields', isChanged);
  return {
    id,
    observation: {
      type: changes.cut([event, textIn(value, 'action')].filter(Boolean).join('.'), MAX_TYPE_LENGTH),
      severity: severityOf(event, value),
      source: changes.cut(textIn(objectIn(value, 'repository'), 'full_name') || 'github', MAX_SOURCE_LENGTH),
      message: changes.cut(describe(event, value), MAX_MESSAGE_LENGTH),
      payload: value,
      correlation: toCorrelation(
        [
          ['head_sha', subject['head_sha'] ?? objectIn(value, 'deployment')['sha'] ?? value['after']],
          ['sender', objectIn(value, 'sender')['login']],
        ],
        changes,
      ),
      changed: changes.list,
    },
  };
}

/** A hook may be set to forms at GitHub, with the JSON in one field. */
function jsonOf(body: Buffer, contentType = ''): Buffer {
  if (!FORM.test(contentType)) return body;
  return Buffer.from(new URLSearchParams(body.toString('utf8')).get('payload') ?? '');
}

/** Null: it names neither a ref nor a commit. */
function readDeployment(value: JsonObject, receivedAtMs: number) {
  const deployment = objectIn(value, 'deployment');
  const status = objectIn(value, 'deployment_status');
  const ref = textIn(deployment, 'ref').trim();
  const sha = textIn(deployment, 'sha').trim();
  // The default branch is no release: each of its deploys would be the same one.
  const isBranch = ref === textIn(objectIn(value, 'repository'), 'default_branch');
  const release = isBranch ? sha || ref : ref || sha;
  if (release === '') return null;
  const environment = (textIn(status, 'environment') || textIn(deployment, 'environment')).trim();
  const at = textIn(status, 'created_at');
  const ageMs = receivedAtMs - (parseIsoTime(at) ?? Number.NaN);
  return {
    release: cutText(release, MAX_RELEASE_LENGTH),
    ...(environment && { environment: cutText(environment, MAX_ENVIRONMENT_LENGTH) }),
    ...(ageMs >= 0 && ageMs <= MAX_DEPLOY_AGE_MS && { at }),
  };
}

function severityOf(event: string, value: JsonObject): Severity {
  const run = objectIn(value, 'workflow_run');
  if (event !== 'workflow_run' || !FAILED_CONCLUSIONS.has(textIn(run, 'conclusion'))) return 'info';
  const repository = objectIn(value, 'repository');
  const from = textIn(objectIn(run, 'head_repository'), 'full_name');
  // The branch of a fork may have the name of the default branch.
  const isOwn = from === '' || from === textIn(repository, 'full_name');
  return isOwn && textIn(run, 'head_branch') === textIn(repository, 'default_branch') ? 'error' : 'warn';
}

function describe(event: string, value: JsonObject): string {
  const subject = objectIn(value, event);
  const by = textIn(objectIn(value, 'sender'), 'login');
  const link = textIn(subject, 'html_url') || textIn(objectIn(value, 'repository'), 'html_url');
  return [sentenceOf(event, value, subject) + (by && ` by ${by}`), link].filter(Boolean).join(': ');
}

function sentenceOf(event: string, value: JsonObject, subject: JsonObject): string {
  const action = textIn(value, 'action');
  if (event === 'ping') return 'GitHub reaches this hook';
  if (event === 'workflow_run') {
    const outcome = textIn(subject, 'conclusion') || action;
    return `Workflow ${textIn(subject, 'name')} on ${textIn(subject, 'head_branch')}: ${outcome}`;
  }
  if (event === 'deployment_status') {
    const ref = textIn(objectIn(value, 'deployment'), 'ref');
    return `Deployment of ${ref} to ${textIn(subject, 'environment')}: ${textIn(subject, 'state')}`;
  }
  if (event === 'push') return `Push to ${textIn(value, 'ref')}`;
  const title = textIn(subject, 'title');
  return [event.replaceAll('_', ' '), action, title && `“${title}”`].filter(Boolean).join(' ');
}
