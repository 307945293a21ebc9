import type { ReactElement, ReactNode } from 'react';

export interface MenuItem {
  label: string;
  /** Stands at the right, in few words: a key, or what it does. */
  hint?: string | undefined;
  icon?: ReactNode;
  onSelect?: (() => void) | undefined;
  /** In the place of `onSelect`: a link, such as `<Link to="/settings" />` or `<a href="…" download />`. */
  link?: ReactElement | undefined;
  /** Set: the item is one of several choices, or a switch, and this is its state. */
  checked?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** Items that belong together, under a heading; a line separates them from the others. */
interface MenuGroup {
  heading?: string | undefined;
  items: readonly MenuItem[];
}

export interface MenuProps {
  /** Stands in the button. */
  label: ReactNode;
  /** Its name, where the label is no text. */
  name?: string | undefined;
  groups: readonly MenuGroup[];
  variant?: 'plain' | 'ghost';
  disabled?: boolean | undefined;
  className?: string | undefined;
  /** It has closed, with or without a choice. */
  onClose?: (() => void) | undefined;
}
