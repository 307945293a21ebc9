import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Alert } from '../feedback/states.tsx';
import { Dialog, DialogActions } from '../layout/dialog.tsx';
import { texts } from '../texts.ts';
import { TextField } from './field.tsx';

interface ConfirmByNameProps {
  title: string;
  /** Name that must be typed. */
  name: string;
  /** Label of the button: `Delete project`. */
  action: string;
  /** Data that will be lost. */
  children: ReactNode;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for a name before something is lost permanently. */
export function ConfirmByName({
  title,
  name,
  action,
  children,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmByNameProps) {
  const [typed, setTyped] = useState('');
  const isConfirmed = asShown(typed) === asShown(name);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) onConfirm();
        }}
      >
        <div className="mb-4 space-y-2">{children}</div>
        <TextField
          label={texts.confirm.typeName(name)}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck="false"
        />
        {error && <Alert>{error.message}</Alert>}
        <DialogActions>
          <Button onClick={onClose}>{texts.confirm.cancel}</Button>
          <Button type="submit" variant="danger" busy={busy} disabled={!isConfirmed}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Collapses white space as a page does, since people type the name as shown. */
function asShown(name: string): string {
  return name.replace(/\s+/gu, ' ').trim();
}
