import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Alert } from '../feedback/states.tsx';
import { texts } from '../texts.ts';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmDialogProps<Answer> {
  title: string;
  /** Label of the button that confirms. */
  confirm: string;
  action: () => Promise<Answer>;
  onSuccess: (answer: Answer) => void | Promise<void>;
  onClose: () => void;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Names the consequences of an action that cannot be taken back, and asks for confirmation. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>) {
  const { title, confirm, action, onSuccess, onClose, children } = props;
  const { mutate, error, isPending } = useMutation({ mutationFn: action, onSuccess });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-2">{children}</div>
      {error && <Alert>{error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{texts.confirm.cancel}</Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
