import { routesOf } from '../http/route.ts';
import { DeployBody } from '../releases/schema.ts';
import { keyOwnerOf } from './authentication/authenticate.ts';
import { AcceptedEvent } from './event/schema.ts';
import type { AcceptDependencies } from './intake/accept.ts';
import { acceptDeploy } from './intake/accept-deploy.ts';

export const deployRoute = routesOf<AcceptDependencies>('Ingestion').post('/ingest/deploys', {
  summary: 'Report a deploy',
  description:
    'Answers 202 once the deploy is durable. A deploy is one of a release to an environment: a repeat within 30 days gets the first answer, whatever its time or its `Idempotency-Key`.',
  body: DeployBody,
  answer: AcceptedEvent,
  status: 202,
  handle: (request, dependencies) => {
    const sender = { owner: keyOwnerOf(request), connection: request.raw.socket };
    return acceptDeploy(dependencies, sender, request.body, dependencies.clock.now());
  },
});
