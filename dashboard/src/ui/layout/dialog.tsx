import {
  type DialogHTMLAttributes,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog: the browser's own, which keeps the focus inside, closes with Escape and gives the focus back.
 * It is open while it is rendered.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const titleId = useId();
  const modal = useModal(onClose);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className="m-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-0 text-text shadow-xl backdrop:bg-black/40"
    >
      <div className="p-5 wrap-anywhere">
        <h2 id={titleId} className="mb-3">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

type ModalProps = Required<Pick<DialogHTMLAttributes<HTMLDialogElement>, 'onCancel'>> & {
  ref: RefObject<HTMLDialogElement | null>;
};

/** Returns the properties of a `<dialog>` that is modal while it is rendered; Escape asks its owner to close it. */
export function useModal(onClose: () => void): ModalProps {
  const dialog = useRef<HTMLDialogElement>(null);
  // Runs before the element is removed: only an element in the page gives the focus back when it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return {
    ref: dialog,
    onCancel: (event) => {
      event.preventDefault();
      onClose();
    },
  };
}

/** The row of buttons at a dialog's end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
