import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNarrow } from '../../../lib/use-narrow.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/display/icons.tsx';
import type { EventPanelProps } from '../../../ui/event/event-panel-slot.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { useModal } from '../../../ui/layout/dialog.tsx';
import { useEventSearch } from '../filters/use-event-search.ts';
import { eventQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { EventActions } from './event-actions.tsx';
import { EventDetail } from './event-detail.tsx';

/** All about one event, beside the list. */
export function EventPanel({ id, event: loaded, onNext, onPrevious, onClose }: EventPanelProps) {
  const [, change] = useEventSearch();
  // An event that is read alone has its frames in the sources.
  const isWhole = loaded !== null && !('frames' in loaded.payload || 'causes' in loaded.payload);
  const read = useQuery({ ...eventQuery(id), enabled: !isWhole });
  const event = read.data ?? loaded;
  return (
    <Surface onClose={onClose}>
      <div className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-surface px-3 py-1.5">
        <h2 className="min-w-0 flex-1 truncate text-base!">{texts.event.title}</h2>
        {event && <EventActions event={event} onFilter={change} />}
        <Button
          variant="ghost"
          className="px-2!"
          aria-label={texts.event.previous}
          disabled={!onPrevious}
          onClick={onPrevious}
        >
          <span aria-hidden="true">↑</span>
        </Button>
        <Button
          variant="ghost"
          className="px-2!"
          aria-label={texts.event.next}
          disabled={!onNext}
          onClick={onNext}
        >
          <span aria-hidden="true">↓</span>
        </Button>
        <Button
          variant="ghost"
          className="px-2!"
          aria-label={texts.event.close}
          aria-keyshortcuts="Escape"
          onClick={onClose}
        >
          <Icon name="close" />
        </Button>
      </div>
      {event ? (
        // The key folds all parts again for the next event.
        <EventDetail key={event.id} event={event} />
      ) : (
        <QueryState query={read} rows={8} />
      )}
    </Surface>
  );
}

/** The panel: beside the list, over it on smaller screens, and over the whole page on narrow ones. */
function Surface({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const narrow = useNarrow();
  if (narrow) return <WholeScreen onClose={onClose}>{children}</WholeScreen>;
  return (
    <section
      aria-label={texts.event.title}
      className="absolute inset-y-0 right-0 z-20 w-[min(28rem,100%)] overflow-y-auto overscroll-contain border-l border-line bg-surface shadow-xl lg:static lg:w-[28rem] lg:shrink-0 lg:shadow-none xl:w-[32rem]"
    >
      {children}
    </section>
  );
}

/** A modal dialog of the browser: nothing under it can be reached. */
function WholeScreen({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const modal = useModal(onClose);
  return (
    <dialog
      {...modal}
      aria-label={texts.event.title}
      className="m-0 h-dvh max-h-none w-dvw max-w-none overflow-y-auto bg-surface text-text"
    >
      {children}
    </dialog>
  );
}
