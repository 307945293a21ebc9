import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { turnOffTwoFactor } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.turnOffTwoFactor;

interface TurnOffTwoFactorProps {
  organization: OrganizationRecord;
  member: MemberRecord;
  onClose: () => void;
}

/** Turns off two-factor authentication for a member who lost the app and the recovery codes. */
export function TurnOffTwoFactor({ organization, member: { user }, onClose }: TurnOffTwoFactorProps) {
  return (
    <ConfirmDialog
      title={words.title(user.name)}
      confirm={words.confirm}
      action={() => turnOffTwoFactor({ organizationId: organization.id, userId: user.id })}
      onSuccess={() => {
        showToast(words.done(user.name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.consequence(user.name)}</p>
      <p>{words.isInformed}</p>
    </ConfirmDialog>
  );
}
