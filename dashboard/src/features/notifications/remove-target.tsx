import { useMutation } from '@tanstack/react-query';
import type { NotificationTarget } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { deleteTarget, readNotificationsAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.removeTarget;

interface RemoveTargetProps {
  target: NotificationTarget;
  onClose: () => void;
}

export function RemoveTarget({ target: { id, name }, onClose }: RemoveTargetProps) {
  const removal = useMutation({
    mutationFn: deleteTarget,
    onSuccess: async () => {
      onClose();
      await readNotificationsAgain();
    },
  });
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <p>{words.losses}</p>
      {removal.error && <Alert>{removal.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={removal.isPending} onClick={() => removal.mutate(id)}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
