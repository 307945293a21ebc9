import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { texts } from '../texts.ts';
import { Failure } from './states.tsx';

interface LoadMoreProps {
  /** State of a list's next page, as TanStack Query reports it. */
  list: {
    error: Error | null;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  /** Text at the end of the list. */
  end?: ReactNode;
  /** Text beside the button: why there may be more. */
  note?: ReactNode;
  label?: string;
}

/** The end of a list that is read page by page. */
export function LoadMore({ list, end, note, label = texts.loadMore }: LoadMoreProps) {
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  // A query that is read again reads the pages that it has.
  if (isFetchNextPageError && error)
    return <Failure error={error} isRepeated={false} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return end && <p className="py-4 text-center text-sm text-text-muted">{end}</p>;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 py-3">
      {note && <p className="text-sm text-text-muted">{note}</p>}
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
