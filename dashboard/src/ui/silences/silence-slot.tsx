import { type ComponentType, createContext, useContext } from 'react';

/** An incident or a group, and what a silence from its page can be about. */
export interface SilenceSubject {
  id: string;
  projectId: string;
  /** Of its events, where they have one in common. */
  type: string | null;
  source: string | null;
  /** The key of a group; null: it is an incident. */
  groupKey: string | null;
}

/** Silences of what a page is about: the frame provides them, and loads them apart from the pages. */
export const SilenceContext = createContext<ComponentType<{ subject: SilenceSubject }> | null>(null);

/** Stands in a row of buttons that wraps: silences that go on take a line below them. */
export function SilenceSlot(subject: SilenceSubject) {
  const Silences = useContext(SilenceContext);
  return Silences && <Silences subject={subject} />;
}
