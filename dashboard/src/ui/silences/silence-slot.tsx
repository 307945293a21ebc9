import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, createContext, useContext } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { texts } from '../texts.ts';

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

/** Returns the function that opens the dialog by the address: the part that silences may still be loading. */
export function useSilenceDialog(): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, silence: '1h' }),
      replace: true,
    } as never);
}

/** Place of the active silences in a row of buttons that wraps: they take a line below. The key `s` silences the subject. */
export function SilenceSlot(subject: SilenceSubject) {
  const Silences = useContext(SilenceContext);
  useShortcuts([{ keys: 's', label: texts.silence, run: useSilenceDialog() }]);
  return Silences && <Silences subject={subject} />;
}
