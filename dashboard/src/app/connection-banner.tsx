import { useEffect, useState } from 'react';
import { realtime, useConnectionState } from '../lib/realtime.ts';
import { Button } from '../ui/controls/button.tsx';
import { texts } from './texts.ts';

const words = texts.banner;

/** Delay of the banner: shorter interruptions end before a message about them can be read. */
const PATIENCE_MS = 4_000;

/** Warns that the page may be out of date, once the connection has been lost for a while. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const lost = state === 'reconnecting' || state === 'offline';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    // The banner floats: the page below does not move. The live region exists before its text; otherwise it is not read out.
    <div role="status" aria-label={words.name}>
      {lost && shown && (
        <div className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line-strong bg-warn-soft p-3 text-sm shadow-lg">
          <p className="flex-1">{state === 'offline' ? words.offline : words.lost}</p>
          <Button onClick={() => realtime.tryNow()}>{words.reconnect}</Button>
        </div>
      )}
    </div>
  );
}
