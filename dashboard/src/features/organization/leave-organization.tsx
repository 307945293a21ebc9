import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { leaveOrganization } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.leaveOrganization;

interface LeaveOrganizationProps {
  organization: Pick<OrganizationRecord, 'name'>;
  onClose: () => void;
}

/** Asks before the user leaves the organization, and names the consequences. */
export function LeaveOrganization({ organization, onClose }: LeaveOrganizationProps) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: leaveOrganization,
    onSuccess: async () => {
      onClose();
      // The cached data belongs to the previous organization.
      await navigate({ to: '/' });
      await queryClient.resetQueries();
    },
  });
  return (
    <Dialog title={words.title(organization.name)} onClose={onClose}>
      <div className="space-y-2 wrap-anywhere">
        <p>{words.losses(organization.name)}</p>
        <p>{words.workStays}</p>
      </div>
      {leave.error && <Alert>{leave.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
