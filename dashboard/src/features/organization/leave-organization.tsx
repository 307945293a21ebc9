import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { leaveOrganization } from './queries.ts';

interface LeaveOrganizationProps {
  organization: OrganizationRecord;
  onClose: () => void;
}

/** Asks before one leaves the organization, and says what stays and what one gets. */
export function LeaveOrganization({ organization, onClose }: LeaveOrganizationProps) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: leaveOrganization,
    onSuccess: async () => {
      onClose();
      // Nothing that was read belongs to the organization that one has now.
      await navigate({ to: '/' });
      await queryClient.resetQueries();
    },
  });
  return (
    <Dialog title={`Leave ${organization.name}?`} onClose={onClose}>
      <div className="space-y-2 wrap-anywhere">
        <p>
          You lose access to all projects, events and incidents of {organization.name} at once. You get a new,
          empty organization of your own.
        </p>
        <p>What you created stays here. An owner can add you again.</p>
      </div>
      {leave.error && <Alert>{leave.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
          Leave organization
        </Button>
      </DialogActions>
    </Dialog>
  );
}
