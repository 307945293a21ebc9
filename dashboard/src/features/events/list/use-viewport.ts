import { type RefObject, useLayoutEffect, useState } from 'react';
import { ROW_HEIGHT, type Viewport } from './visible-rows.ts';

/** Returns the visible part of an element, rounded to rows: it changes only when a row enters or leaves. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, height: 0 });
  useLayoutEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return undefined;
    const read = () => {
      const scrollTop = Math.floor(scrolled.scrollTop / ROW_HEIGHT) * ROW_HEIGHT;
      const height = scrolled.clientHeight;
      setViewport((before) =>
        before.scrollTop === scrollTop && before.height === height ? before : { scrollTop, height },
      );
    };
    read();
    const sizes = new ResizeObserver(read);
    sizes.observe(scrolled);
    scrolled.addEventListener('scroll', read, { passive: true });
    return () => {
      sizes.disconnect();
      scrolled.removeEventListener('scroll', read);
    };
  }, [element]);
  return viewport;
}
