import { queryOptions } from '@tanstack/react-query';
import { request, withQuery } from '../../../lib/api.ts';
import type { IncidentSummary } from '../../../lib/api-types.ts';

/** Reads the summary of incidents opened and resolved in the last 7 days. */
export const incidentSummaryQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'summary', project ?? null],
    queryFn: ({ signal }) =>
      request<IncidentSummary>('GET', withQuery('/incidents/summary', { project_id: project }), { signal }),
  });
