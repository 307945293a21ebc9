import { type HTMLAttributes, useState } from 'react';

interface InUse {
  isTouched: boolean;
  hasFocus: boolean;
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
    area: {
      onPointerEnter: () => setIsTouched(true),
      onPointerLeave: ({ currentTarget }) => {
        setIsTouched(false);
        // A row that disappears takes the focus with it, without an event.
        if (!currentTarget.contains(document.activeElement) || !isControl(document.activeElement))
          setHasFocus(false);
      },
      onFocus: ({ target }) => setHasFocus(isControl(target)),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setHasFocus(false);
      },
    },
  };
}

/** Returns false for a container: it only keeps the focus of a control that has disappeared. */
function isControl(element: Element | null): boolean {
  return element instanceof HTMLElement && (element.tabIndex >= 0 || element.matches('a'));
}
