import { useMutation } from '@tanstack/react-query';
import type { IncidentChanges } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { changeIncident, incidentQuery } from './queries.ts';

/** Changes an incident: shown at once, taken back where the service refuses it. */
export function useIncidentChange(id: string) {
  const { queryKey } = incidentQuery(id);
  return useMutation({
    // Without a connection it fails now: what happens minutes later, unasked, is worse.
    networkMode: 'always',
    mutationFn: (changes: IncidentChanges) => changeIncident(id, changes),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) queryClient.setQueryData(queryKey, { ...before, ...changes });
      return { before };
    },
    onSuccess: (incident) => queryClient.setQueryData(queryKey, incident),
    onError: (_error, _changes, context) => {
      if (context?.before) queryClient.setQueryData(queryKey, context.before);
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['incidents'] }),
  });
}
