import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConnectionState } from '../lib/realtime.ts';
import { reloadIfReachable } from '../ui/feedback/reload.ts';
import { loadPart, logCaught } from '../ui/layout/lazy-part.tsx';
import { RouteFailure } from './route-states.tsx';

const pages: (() => Promise<void>)[] = [];

/** Loads every page that is not loaded yet: a click then works while the service restarts. */
export async function preloadPages(): Promise<void> {
  // One after the other: prefetching must not compete with requests of the current page.
  for (const preload of pages) await preload();
}

/**
 * A page, or a part of several, whose chunk is loaded when it is first needed. If that fails (the service restarts, or a new version has
 * other chunks), an error replaces the page: the shell and drafts stay.
 * @param load the import of the chunk
 * @param name the page's component in it
 */
export function lazyPage<Name extends string, Props extends object = object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): ((props: Props) => ReactNode) & { preload: () => Promise<void> } {
  let Loaded: ComponentType<Props> | null = null;
  const loadPage = async () => {
    Loaded ??= await loadPart(load, name);
  };
  // A failure counts only once the page is needed.
  const preload = () => loadPage().catch(() => undefined);
  pages.push(preload);

  function LazyPage(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | Error>('loading');
    useEffect(() => {
      if (Loaded) return undefined;
      let isWanted = true;
      loadPage().then(
        () => isWanted && setState('loaded'),
        (error: Error) => {
          if (!isWanted) return;
          logCaught(error);
          setState(error);
        },
      );
      return () => {
        isWanted = false;
      };
    }, []);
    if (Loaded) return <Loaded {...props} />;
    // Nothing to see, but the first page waits for it: see Settled.
    return state instanceof Error ? <ChunkFailure error={state} /> : <span aria-busy="true" hidden />;
  }
  LazyPage.preload = preload;
  return LazyPage;
}

/**
 * Browsers remember that a module failed to load, so only a new document loads it. The page reloads once the service
 * answers.
 */
function ChunkFailure({ error }: { error: Error }) {
  const connection = useConnectionState();
  const before = useRef(connection);
  const onConnection = useEffectEvent(() => {
    if (connection === 'live' && before.current !== 'live') void reloadIfReachable();
    before.current = connection;
  });
  useEffect(() => onConnection(), [connection]);
  return <RouteFailure error={error} reset={() => void reloadIfReachable()} />;
}
