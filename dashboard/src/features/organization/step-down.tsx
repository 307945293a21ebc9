import { useMutation } from '@tanstack/react-query';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { changeRole, readAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.stepDown;

interface StepDownProps {
  organization: OrganizationRecord;
  userId: string;
  onClose: () => void;
}

/** Asks before an owner gives up ownership, which they cannot take back alone. */
export function StepDown({ organization, userId, onClose }: StepDownProps) {
  const stepDown = useMutation({
    mutationFn: () => changeRole({ organizationId: organization.id, userId, role: 'MEMBER' }),
    onSuccess: async () => {
      onClose();
      await readAgain();
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.losses}</p>
      {stepDown.error && <Alert>{stepDown.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={stepDown.isPending} onClick={() => stepDown.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
