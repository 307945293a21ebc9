import { routesOf } from '../http/route.ts';
import { newUuid, toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import type { QueuedDeploy } from '../queue/queue.ts';
import { readDeploy } from '../releases/read-deploy.ts';
import { DeployBody } from '../releases/schema.ts';
import { keyOwnerOf } from './authentication/authenticate.ts';
import { AcceptedEvent } from './event/schema.ts';
import { type AcceptDependencies, acceptEvents } from './intake/accept.ts';
import { deployClaimKey } from './intake/idempotency.ts';

/**
 * Deploys take the path of events: through the same queue, so that a deploy is known before events that are sent
 * after its answer, and into the same ledger.
 */
export const deployRoute = routesOf<AcceptDependencies>('Ingestion').post('/ingest/deploys', {
  summary: 'Report a deploy',
  description:
    'Answers 202 once the deploy is durable. A deploy is one of a release to an environment: a repeat within 30 days gets the first answer, whatever its time or its `Idempotency-Key`.',
  body: DeployBody,
  answer: AcceptedEvent,
  status: 202,
  handle: async (request, dependencies) => {
    const owner = keyOwnerOf(request);
    const receivedAtMs = dependencies.clock.now();
    const { release, environment, atMs } = readDeploy(request.body, receivedAtMs);
    const queued: QueuedDeploy = {
      id: newUuid(receivedAtMs),
      projectId: owner.projectId,
      receivedAt: isoTime(receivedAtMs),
      environment,
      deploy: { release, at: isoTime(atMs) },
    };
    const claim = { key: deployClaimKey(release, environment), jobId: queued.id, answer: null };
    const sender = { owner, connection: request.raw.socket };
    const repeated = await acceptEvents(dependencies, sender, [JSON.stringify(queued)], claim);
    return { jobId: toId('job', repeated?.jobId ?? queued.id), status: 'queued' as const };
  },
});
