import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Alert } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { readAgain, removeMember } from './queries.ts';

interface RemoveMemberProps {
  organization: OrganizationRecord;
  member: MemberRecord;
  /** An owner who leaves; another one stays. */
  isSelf: boolean;
  onClose: () => void;
}

/** Asks before somebody is taken out of the organization, and says what becomes of them. */
export function RemoveMember({ organization, member: { user }, isSelf, onClose }: RemoveMemberProps) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => removeMember({ organizationId: organization.id, userId: user.id }),
    onSuccess: async () => {
      onClose();
      if (isSelf) {
        // Nothing that was read belongs to whoever left.
        await navigate({ to: '/' });
        await queryClient.resetQueries();
        return;
      }
      await readAgain();
      showToast(`${user.name} is removed.`);
    },
  });
  const title = isSelf ? `Leave ${organization.name}?` : `Remove ${user.name}?`;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-2 wrap-anywhere">
        {isSelf ? (
          <>
            <p>
              You lose access to all projects, events and incidents of {organization.name} at once. You get a
              new, empty organization of your own.
            </p>
            <p>What you made stays here. An owner can add you again.</p>
          </>
        ) : (
          <>
            <p>
              {user.name} ({user.email}) loses access to all projects, events and incidents of{' '}
              {organization.name} at once, and gets a new, empty organization instead.
            </p>
            <p>What they made stays here. You can add them again.</p>
          </>
        )}
      </div>
      {remove.error && <Alert>{remove.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {isSelf ? 'Leave organization' : 'Remove member'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
