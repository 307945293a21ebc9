import { Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { ScrubChoices } from '../../scrubbing/schema.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { previewScrubbing } from './preview.ts';
import { countScrubbedValues } from './queries.ts';
import { ReplacedValues, ScrubPreview } from './schema.ts';

const route = routesOf<{ pool: Pool; reads: ExpensiveReads }>('Projects');

export const scrubPreviewRoutes = [
  route.get('/projects/:id/scrubbing/counts', {
    summary: 'Count the values that were replaced in the last 30 days',
    description:
      'Counts by rule what ingestion replaced in events, deploys, alerts and the output of jobs, whatever became of them. Written every 10 seconds, so the counts are about right: a process that is killed leaves out what it counted since, and a connection that is lost during a write may add some twice.',
    params: Type.Object({ id: IdText }),
    answer: ReplacedValues,
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const { id: projectId } = await requireProject(pool, organizationId, request.params.id);
      return countScrubbedValues(pool, organizationId, projectId);
    },
  }),

  route.post('/projects/:id/scrubbing/preview', {
    summary: 'Preview of choices about secrets',
    description:
      'Says what these choices would have replaced in the newest events, at most 500 and 2 MiB of payloads and messages, without showing it. What was replaced before they were stored is counted by rule: it cannot be taken back, so the answer does not say what `safe` and `off` would have kept.',
    params: Type.Object({ id: IdText }),
    body: ScrubChoices,
    answer: ScrubPreview,
    handle: async (request, { pool, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const { id: projectId } = await requireProject(pool, organizationId, request.params.id);
      const signal = goneSignal(reply.raw);
      return previewScrubbing(reads, { organizationId, projectId, choices: request.body, signal });
    },
  }),
];
