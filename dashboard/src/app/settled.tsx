import { type Query, useIsFetching } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Maximum time for which the first page waits for its data; what comes later moves what is below it. */
const MAX_WAIT_MS = 800;
const hasNoData = { predicate: ({ state }: Query) => state.data === undefined };

/** Shows the first page of a document with all of its data at once, so that no part pushes another one. */
export function Settled({ children }: { children: ReactNode }) {
  const [state, setState] = useState<'waiting' | 'settled'>('waiting');
  const place = useRef<HTMLDivElement>(null);
  const isPending = useIsFetching(hasNoData) > 0;
  useEffect(() => {
    if (state !== 'waiting') return undefined;
    const timer = setTimeout(() => setState('settled'), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    if (isPending || state !== 'waiting') return undefined;
    // Two frames: a part that appears with the data of another one may ask for its own, or load its code.
    let still = 0;
    const look = () => {
      still = place.current?.querySelector('[aria-busy="true"]') ? 0 : still + 1;
      if (still === 2) setState('settled');
      else frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [isPending, state]);
  return (
    <div ref={place} className={state === 'waiting' ? 'opacity-0' : 'contents'} data-settled={state}>
      {children}
    </div>
  );
}
