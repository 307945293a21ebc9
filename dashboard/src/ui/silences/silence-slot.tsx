import { type ComponentType, createContext, useContext } from 'react';

/** An incident or a group, with the possible scopes of a silence from its page. */
export interface SilenceSubject {
  id: string;
  projectId: string;
  /** Type of its events, if they share one. */
  type: string | null;
  source: string | null;
  /** Key of a group; null for an incident. */
  groupKey: string | null;
  /** Id of the scheduled job of an incident; null for all others. */
  scheduleId: string | null;
}

/** The silences of a page's subject: the frame provides them, and loads them apart from the pages. */
export const SilenceContext = createContext<ComponentType<{ subject: SilenceSubject }> | null>(null);

/** Place of the silences in a row of buttons that wraps: active silences take a line below. */
export function SilenceSlot(subject: SilenceSubject) {
  const Silences = useContext(SilenceContext);
  return Silences && <Silences subject={subject} />;
}
