import type { NotificationTarget } from '../../lib/api-types.ts';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { deleteTarget, readNotificationsAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.removeTarget;

interface RemoveTargetProps {
  target: NotificationTarget;
  onClose: () => void;
}

export function RemoveTarget({ target: { id, name }, onClose }: RemoveTargetProps) {
  return (
    <ConfirmDialog
      title={words.title(name)}
      confirm={words.confirm}
      action={() => deleteTarget(id)}
      onSuccess={async () => {
        onClose();
        await readNotificationsAgain();
      }}
      onClose={onClose}
    >
      <p>{words.losses}</p>
    </ConfirmDialog>
  );
}
