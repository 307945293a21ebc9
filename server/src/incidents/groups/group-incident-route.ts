import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { requireHead } from '../../groups/require-group.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { Incident } from '../schema.ts';
import { toIncident } from '../to-incident.ts';
import { listGroupIncidents } from './group-incident-queries.ts';

export const GroupIncident = Type.Object({
  incident: Incident,
  count: Type.Integer({ description: 'Events of the group in the time of the incident.' }),
});

/** The incidents that a group takes part in. */
const route = routesOf<Store & { reads: ExpensiveReads }>('Groups');

export const groupIncidentRoutes = [
  route.get('/groups/:id/incidents', {
    summary: 'List the incidents of a group',
    description:
      'The newest 20 that count events of the group; 500 incidents of the project are looked through. Not those about missing events, or created by hand.',
    params: Type.Object({ id: IdText }),
    answer: Type.Array(GroupIncident),
    handle: async (request, { pool, clock, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const group = await requireHead(pool, organizationId, request.params.id, new Date(clock.now()));
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the incidents of the group' };
      const rows = await reads.run(read, (database) => listGroupIncidents(database, organizationId, group));
      return rows.map(({ groupCount, ...incident }) => ({
        incident: toIncident(incident),
        count: groupCount,
      }));
    },
  }),
];
