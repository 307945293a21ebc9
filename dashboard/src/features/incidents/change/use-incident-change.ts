import { useMutation } from '@tanstack/react-query';
import type { IncidentChanges } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { changeIncident, incidentQuery } from '../queries.ts';

/**
 * Changes an incident: the change is shown at once, and reverted if the service refuses it.
 * @param onFailure called also once the component is gone
 */
export function useIncidentChange(id: string, onFailure: (error: Error) => void = () => {}) {
  const { queryKey } = incidentQuery(id);
  return useMutation({
    // Fails at once without a connection: an unexpected change minutes later would be worse.
    networkMode: 'always',
    mutationFn: (changes: IncidentChanges) => changeIncident(id, changes),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) queryClient.setQueryData(queryKey, { ...before, ...changes });
      return { before };
    },
    onSuccess: (incident) => queryClient.setQueryData(queryKey, incident),
    onError: (error, _changes, context) => {
      onFailure(error);
      if (context?.before) queryClient.setQueryData(queryKey, context.before);
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['incidents'] }),
  });
}
