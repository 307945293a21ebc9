import { type ComponentType, createContext, useContext } from 'react';
import type { Event } from '../../lib/api-types.ts';

export interface EventPanelProps {
  id: string;
  /** Event; null if it has yet to be read. */
  event: Event | null;
  /** Moves to the next or the previous event of the list; unset at the ends. */
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onClose: () => void;
}

/** The panel of one event beside a list: the frame provides it, and loads it apart from the pages that show events. */
export const EventPanelContext = createContext<ComponentType<EventPanelProps> | null>(null);

export function EventPanelSlot(props: EventPanelProps) {
  const EventPanel = useContext(EventPanelContext);
  return EventPanel && <EventPanel {...props} />;
}
