import { queryClient } from '../../../lib/queries.ts';
import {
  eventsBehindQuery,
  incidentGroupsQuery,
  incidentQuery,
  pointsQuery,
  previousIncidentsQuery,
} from '../queries.ts';

/**
 * Requests all data of an incident's page in parallel, and the code of its chart.
 * A failure counts only once the page needs the data.
 */
export function prefetchIncident(id: string): void {
  void queryClient.prefetchQuery(incidentQuery(id));
  void queryClient.prefetchQuery(eventsBehindQuery(id));
  void queryClient.prefetchQuery(incidentGroupsQuery(id));
  void queryClient.prefetchQuery(pointsQuery({ id, resolvedAt: null }));
  void queryClient.prefetchQuery(previousIncidentsQuery(id));
  void import('../../../ui/charts/observed-plot.tsx').catch(() => undefined);
}
