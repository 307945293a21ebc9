import { type ReactNode, useEffect, useState } from 'react';
import { isReadAgain } from '../../lib/queries.ts';
import { Button } from '../controls/button.tsx';
import drawings from '../display/drawings.svg';
import { texts } from '../texts.ts';

/** An error message, read out at once. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <p
      role="alert"
      className="my-2 rounded-md border border-critical bg-bad-soft px-3 py-2 text-sm text-text"
    >
      {children}
    </p>
  );
}

interface FailureProps {
  error: unknown;
  onRetry: () => void;
  /** True if the request is also repeated automatically; without a value, the options of its query say so. */
  isRepeated?: boolean;
}

/** A part of a page that could not be read. */
export function Failure({ error, onRetry, isRepeated = isReadAgain(error) }: FailureProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 px-4 py-6 text-sm">
      <span>
        {error instanceof Error ? error.message : String(error)}
        {isRepeated && <span className="text-text-muted"> {texts.tryingAgain}</span>}
      </span>
      <Button onClick={onRetry}>{texts.tryAgain}</Button>
    </div>
  );
}

interface SkeletonProps {
  rows?: number;
  rowClass?: string;
}

interface QueryStateProps extends SkeletonProps {
  query: { error: Error | null; refetch: () => Promise<unknown> };
}

/** A query without data: its error, or grey lines while it waits. */
export function QueryState({ query: { error, refetch }, ...lines }: QueryStateProps) {
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton {...lines} />;
}

interface EmptyProps {
  title: string;
  /** Sign beside the bell: one of the parts in `drawings.svg`. */
  sign?: 'add' | 'calm' | 'clock' | 'locked' | 'lost' | 'paused' | 'search' | 'sent';
  children?: ReactNode;
  action?: ReactNode;
}

/** An empty state: what will be here, and the one button that leads there. */
export function Empty({ title, sign = 'add', children, action }: EmptyProps) {
  return (
    <div className="mx-auto max-w-md px-4 py-12 text-center">
      <svg aria-hidden="true" className="mx-auto mb-3 size-16 text-accent">
        <use href={`${drawings}#bell`} />
        <use href={`${drawings}#${sign}`} />
      </svg>
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="mt-2 text-text-muted">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

const SKELETON_DELAY_MS = 150;

/** Grey lines in the height of the content; shown after a moment, so that fast answers do not flicker. */
export function Skeleton({ rows = 3, rowClass = 'h-9' }: SkeletonProps) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" aria-label={texts.loading} role="progressbar" className={shown ? '' : 'invisible'}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`${rowClass} px-4 py-2`}>
          <div className="h-full animate-pulse rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}
