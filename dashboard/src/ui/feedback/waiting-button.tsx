import { Button } from '../controls/button.tsx';

interface WaitingButtonProps {
  /** Words for what waits; null: nothing does. */
  waiting: string | null;
  /** Place in the list's area, where it covers no row. */
  className?: string;
  onShow: () => void;
}

/** The button that shows what waits while a list is read. */
export function WaitingButton({ waiting, className = '', onShow }: WaitingButtonProps) {
  return (
    waiting !== null && (
      <Button variant="primary" className={`z-20 min-h-6! rounded-full! py-0! ${className}`} onClick={onShow}>
        {waiting}
      </Button>
    )
  );
}

/** Place in the middle of a list's head, 28 px high. */
export const IN_HEAD = 'absolute top-0.5 left-1/2 -translate-x-1/2';
/** Place above the end of a list without a head. */
export const ABOVE = 'absolute right-0 bottom-full mb-1';
