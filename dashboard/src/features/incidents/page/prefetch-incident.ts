import { queryClient } from '../../../lib/queries.ts';
import {
  eventsBehindQuery,
  incidentGroupsQuery,
  incidentQuery,
  pointsQuery,
  previousIncidentsQuery,
} from '../queries.ts';

/**
 * Requests all that the page of an incident shows at once, and the code of its chart: none of it depends on another answer.
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
