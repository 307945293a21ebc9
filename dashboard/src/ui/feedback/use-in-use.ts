import { type HTMLAttributes, useState } from 'react';

interface InUse {
  isTouched: boolean;
  hasFocus: boolean;
  /** Forgets a focus that disappears with its element, without an event. */
  forgetFocus: () => void;
  /** Attributes of the element. */
  area: Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>;
}

/** Tells whether the pointer or the focus is in an element. */
export function useInUse(): InUse {
  const [isTouched, setIsTouched] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  return {
    isTouched,
    hasFocus,
    forgetFocus: () => setHasFocus(false),
    area: {
      onPointerEnter: () => setIsTouched(true),
      onPointerLeave: ({ currentTarget }) => {
        setIsTouched(false);
        // A row that disappears takes the focus with it, without an event.
        if (!currentTarget.contains(document.activeElement)) setHasFocus(false);
      },
      onFocus: () => setHasFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setHasFocus(false);
      },
    },
  };
}
