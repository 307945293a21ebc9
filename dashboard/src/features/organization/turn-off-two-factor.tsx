import { useMutation } from '@tanstack/react-query';
import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => turnOffTwoFactor({ organizationId: organization.id, userId: user.id }),
    onSuccess: () => {
      showToast(words.done(user.name));
      onClose();
    },
  });
  return (
    <Dialog title={words.title(user.name)} onClose={onClose}>
      <div className="space-y-2 wrap-anywhere">
        <p>{words.consequence(user.name)}</p>
        <p>{words.isInformed}</p>
      </div>
      {error && <Alert>{error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
