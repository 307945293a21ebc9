import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { EventReader } from '../../events/reader.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { compareReleases } from './compare-releases.ts';
import { Comparison, ComparisonQuery } from './schema.ts';

const route = routesOf<Store & { reads: ExpensiveReads; events: Pick<EventReader, 'on'> }>('Releases');

export const comparisonRoutes = [
  route.get('/projects/:id/releases/comparison', {
    summary: 'Compare two releases of a project',
    description:
      'Says which groups take a larger share of events in the release than in the base, which began with it, and which are gone. Counts are those of stored events, exact unless `from` or `to` of a release bounds them: the newest 50,000 events of the project within the time of the release are scanned, or the newest of all for an environment that is not watched now.',
    params: Type.Object({ id: IdText }),
    querystring: ComparisonQuery,
    answer: Comparison,
    handle: async (request, { pool, clock, reads, events }, reply) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      const { release, base, environment } = request.query;
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the events of the releases' };
      const now = new Date(clock.now());
      return reads.run(read, (database) =>
        compareReleases(events.on(database), { organizationId, project, release, base, environment, now }),
      );
    },
  }),
];
