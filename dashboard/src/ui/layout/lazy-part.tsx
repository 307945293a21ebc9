import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { reloadIfReachable } from '../feedback/reload.ts';
import { Failure } from '../feedback/states.tsx';
import { texts } from '../texts.ts';
import { Dialog } from './dialog.tsx';

/** A chunk that could not be loaded. */
class LoadError extends Error {
  constructor(cause: unknown) {
    super(texts.notLoaded, { cause });
  }
}

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** Returns a component of a chunk. Rejects with a `LoadError`. */
export async function loadPart<Name extends string, Props>(load: Load<Name, Props>, name: Name) {
  const parts = await load().catch((error: unknown) => {
    throw new LoadError(error);
  });
  return parts[name];
}

/** A component whose chunk is loaded when it is first drawn, inside a `LazyPart`. */
export const lazyPart = <Name extends string, Props>(load: Load<Name, Props>, name: Name) =>
  lazy(async () => ({ default: await loadPart(load, name) }));

/** Logs an error that a boundary has caught: Preact does not. */
export const logCaught = (error: unknown): void => console.error(error);

interface LazyPartProps {
  /** Closes the part, if it is a dialog: a dialog says then that it failed. The first value is kept. */
  onClose?: () => void;
  /** Content until the code is there. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Place of a part of a page whose code is loaded on demand. If it fails, the rest of the page stays. */
export function LazyPart({ onClose, fallback, children }: LazyPartProps) {
  // A component of its own on each drawing would open a new dialog.
  const [PartFailure] = useState(() => (props: ErrorComponentProps) => fail(props, onClose));
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PartFailure} onCatch={logCaught}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Returns the failure. Browsers remember that a module failed to load, so only a new document loads it. */
function fail({ error, reset }: ErrorComponentProps, onClose?: () => void): ReactNode {
  const retry = error instanceof LoadError ? () => void reloadIfReachable() : reset;
  const failure = <Failure error={error} onRetry={retry} />;
  if (!onClose) return failure;
  return (
    <Dialog title={texts.failed} onClose={onClose}>
      {failure}
    </Dialog>
  );
}
