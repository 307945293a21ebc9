import { type ReactNode, useId } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../display/icons.tsx';
import { texts } from '../texts.ts';
import { useModal } from './dialog.tsx';

interface DrawerProps {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog at the right edge, over the whole page of a phone. It is open while it is rendered; a click beside it closes it. */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const titleId = useId();
  const modal = useModal(onClose);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      // Only the backdrop is the dialog itself: its content covers the rest.
      onClick={({ target }) => target === modal.ref.current && onClose()}
      className="m-0 ml-auto h-dvh max-h-none w-[min(28rem,100vw)] max-w-none border-l border-line bg-surface p-0 text-text shadow-xl backdrop:bg-black/40"
    >
      <div className="min-h-full p-4 wrap-anywhere">
        <div className="mb-4 flex items-start gap-2">
          <h2 id={titleId} className="min-w-0 flex-1">
            {title}
          </h2>
          <Button variant="ghost" className="px-2!" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
