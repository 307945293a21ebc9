import { useMutation, useQuery } from '@tanstack/react-query';
import { UNDO_MS } from '../../../../../server/src/incidents/limits.ts';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { membersQuery, queryClient, sessionQuery } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { incidentQuery, undoResolve } from '../queries.ts';
import { texts } from '../texts.ts';
import { explainFailure } from './explain-failure.ts';

/** Undoes a resolution that was sent: within ten minutes, for the user who resolved and for owners. */
export function UndoResolution({ incident }: { incident: IncidentDetail }) {
  const { id, status, resolvedAt, timeline } = incident;
  const now = useNow();
  const { data: session } = useQuery(sessionQuery);
  const isRecent = status === 'resolved' && resolvedAt !== null && now - Date.parse(resolvedAt) < UNDO_MS;
  const isOwn = timeline.findLast(({ to }) => to?.status === 'resolved')?.by?.id === session?.user.id;
  const { data: members } = useQuery({ ...membersQuery, enabled: isRecent && !isOwn });
  const isOwner = members?.some(({ role, user }) => role === 'OWNER' && user.id === session?.user.id);
  const undo = useMutation({
    networkMode: 'always',
    mutationFn: () => undoResolve(id),
    onSuccess: (after) => queryClient.setQueryData(incidentQuery(id).queryKey, after),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['incidents'] }),
  });
  if (!isRecent || !(isOwn || isOwner)) return null;
  return (
    <>
      <Button busy={undo.isPending} onClick={() => undo.mutate()} title={texts.change.reopenHint}>
        {texts.change.reopen}
      </Button>
      {undo.error && <Alert>{explainFailure(undo.error)}</Alert>}
    </>
  );
}
