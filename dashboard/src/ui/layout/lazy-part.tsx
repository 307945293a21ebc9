import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { reloadIfReachable } from '../feedback/reload.ts';
import { Failure } from '../feedback/states.tsx';
import { texts } from '../texts.ts';
import { Dialog } from './dialog.tsx';

interface LazyPartProps {
  /** Closes the part, if it is a dialog: a dialog says then that it failed. The first value is kept. */
  onClose?: () => void;
  /** Content until the code is there. */
  fallback?: ReactNode;
  children: ReactNode;
}

export const NOT_LOADED = new Error(texts.notLoaded);

/** Place of a part of a page whose code is loaded on demand. If that fails, the rest of the page stays. */
export function LazyPart({ onClose, fallback, children }: LazyPartProps) {
  // A component of its own on each drawing would open a new dialog.
  const [PartFailure] = useState(() => () => fail(onClose));
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PartFailure}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Returns the failure. Browsers remember that a module failed to load, so only a new document loads it. */
function fail(onClose?: () => void): ReactNode {
  const failure = <Failure error={NOT_LOADED} onRetry={() => void reloadIfReachable()} />;
  if (!onClose) return failure;
  return (
    <Dialog title={texts.failed} onClose={onClose}>
      {failure}
    </Dialog>
  );
}
