import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { texts } from '../texts.ts';
import { Failure } from './states.tsx';

/** How often a page is asked for: news may interrupt each attempt. */
const MAX_ATTEMPTS = 5;

interface Pages {
  data: { pages: readonly unknown[] } | undefined;
  error: Error | null;
  /** True while the pages of former filters are shown. */
  isPlaceholderData: boolean;
}

interface LoadMoreProps {
  /** State of a list's next page, as TanStack Query reports it. */
  list: Pages & {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<Pages>;
  };
  /** Text at the end of the list. */
  end?: ReactNode;
  /** Text beside the button: why there may be more. */
  note?: ReactNode;
  label?: string;
}

/** The end of a list that is read page by page. */
export function LoadMore({ list, end, note, label = texts.loadMore }: LoadMoreProps) {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const [isAsked, setIsAsked] = useState(false);
  // News make a list be read again, which ends the reading of its next page: it is asked for again.
  const load = async () => {
    setIsAsked(true);
    let read: Pages = list;
    for (
      let attempt = 0;
      attempt < MAX_ATTEMPTS && read.data?.pages.length === data?.pages.length;
      attempt++
    ) {
      read = await fetchNextPage();
      if (read.error || read.isPlaceholderData) break;
    }
    setIsAsked(false);
  };
  // A query that is read again reads the pages that it has.
  if (isFetchNextPageError && error)
    return <Failure error={error} isRepeated={false} onRetry={() => void load()} />;
  if (!hasNextPage) return end && <p className="py-4 text-center text-sm text-text-muted">{end}</p>;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 py-3">
      {note && <p className="text-sm text-text-muted">{note}</p>}
      <Button busy={isAsked || isFetchingNextPage} onClick={() => void load()}>
        {label}
      </Button>
    </div>
  );
}
