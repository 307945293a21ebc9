import { useMutation } from '@tanstack/react-query';
import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { readAgain, removeMember } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.removeMember;

interface RemoveMemberProps {
  organization: OrganizationRecord;
  member: MemberRecord;
  onClose: () => void;
}

/** Asks before a member is removed from the organization, and names the consequences. */
export function RemoveMember({ organization, member: { user }, onClose }: RemoveMemberProps) {
  const remove = useMutation({
    mutationFn: () => removeMember({ organizationId: organization.id, userId: user.id }),
    onSuccess: async () => {
      onClose();
      await readAgain();
      showToast(`${user.name} removed`);
    },
  });
  return (
    <Dialog title={words.title(user.name)} onClose={onClose}>
      <div className="space-y-2 wrap-anywhere">
        <p>{words.losses(`${user.name} (${user.email})`, organization.name)}</p>
        <p>{words.workStays}</p>
      </div>
      {remove.error && <Alert>{remove.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
