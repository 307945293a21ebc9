import { useEffect, useState } from 'react';
import { realtime, useConnectionState } from '../lib/realtime.ts';
import { Button } from '../ui/controls/button.tsx';

/** Shorter interruptions are over before one has read about them. */
const PATIENCE_MS = 4_000;

/** Says that what one sees may be out of date, once the connection has been lost for a while. */
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
    // It floats: what one reads or is about to press must not move. And it is there before it speaks, to be heard.
    <div role="status" aria-label="Lost connection">
      {lost && shown && (
        <div className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line-strong bg-warn-soft p-3 text-sm shadow-lg">
          <p className="flex-1">
            {state === 'offline' ? 'You’re offline.' : 'Connection lost.'} This page may be out of date.
          </p>
          <Button onClick={() => realtime.tryNow()}>Reconnect</Button>
        </div>
      )}
    </div>
  );
}
