import type { Static } from 'typebox';
import { newUuid, toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { QueuedDeploy } from '../../queue/queue.ts';
import { readDeploy } from '../../releases/read-deploy.ts';
import type { DeployBody } from '../../releases/schema.ts';
import { scrub } from '../../scrubbing/scrub.ts';
import type { AcceptedEvent } from '../event/schema.ts';
import { type AcceptDependencies, acceptEvents, type Sender } from './accept.ts';
import { deployClaimKey } from './idempotency.ts';

/**
 * Makes a deploy durable on the path of events: through the same queue, so that it is known before events that are sent
 * after its answer, and into the same ledger. A repeat gets the job of the first. Secrets are replaced as in events: the
 * release stays the same text as theirs.
 * @throws ApiError `validation_failed`, or as `acceptEvents`
 */
export async function acceptDeploy(
  dependencies: AcceptDependencies,
  sender: Sender,
  body: Static<typeof DeployBody>,
  receivedAtMs: number,
): Promise<AcceptedEvent> {
  const { projectId } = sender.owner;
  const { fields } = scrub(body, dependencies.scrubSettingsOf(projectId));
  const { release, environment, atMs } = readDeploy(fields, receivedAtMs);
  const queued: QueuedDeploy = {
    id: newUuid(receivedAtMs),
    projectId,
    receivedAt: isoTime(receivedAtMs),
    environment,
    deploy: { release, at: isoTime(atMs) },
  };
  const claim = { key: deployClaimKey(release, environment), jobId: queued.id, answer: null };
  const repeated = await acceptEvents(dependencies, sender, [JSON.stringify(queued)], claim);
  return { jobId: toId('job', repeated?.jobId ?? queued.id), status: 'queued' };
}
