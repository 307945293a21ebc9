import type { IconName } from '../../ui/display/icons.tsx';
import type { texts } from './texts.ts';

/** Entry of the command palette. */
export interface Entry {
  id: string;
  group: keyof typeof texts.groups;
  label: string;
  icon: IconName;
  /** Keys that do the same without the palette. */
  keys?: string;
  /** Offers the entry only for texts that match. */
  onlyFor?: RegExp;
  /** A few words beside the label. */
  hint?: string | undefined;
  /** Further words by which the entry is found. */
  also?: string;
  run: () => void;
}
