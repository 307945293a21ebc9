import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
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
  return (
    <ConfirmDialog
      title={words.title(user.name)}
      confirm={words.confirm}
      action={() => removeMember({ organizationId: organization.id, userId: user.id })}
      onSuccess={async () => {
        onClose();
        await readAgain();
        showToast(words.removed(user.name));
      }}
      onClose={onClose}
    >
      <p>{words.losses(`${user.name} (${user.email})`, organization.name)}</p>
      <p>{words.workStays}</p>
    </ConfirmDialog>
  );
}
