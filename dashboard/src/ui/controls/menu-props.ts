import type { ReactElement, ReactNode } from 'react';

export interface MenuItem {
  label: string;
  /** A few words at the right: a key, or a description. */
  hint?: string | undefined;
  icon?: ReactNode;
  onSelect?: (() => void) | undefined;
  /** Link in place of `onSelect`, such as `<Link to="/settings" />` or `<a href="…" download />`. */
  link?: ReactElement | undefined;
  /** State of an item that is one of several choices, or a switch; unset for others. */
  checked?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** Items that belong together, under a heading; a line separates them from the others. */
interface MenuGroup {
  heading?: string | undefined;
  items: readonly MenuItem[];
}

export interface MenuProps {
  /** Content of the button. */
  label: ReactNode;
  /** Name of the button, if the label is no text. */
  name?: string | undefined;
  groups: readonly MenuGroup[];
  variant?: 'plain' | 'ghost';
  disabled?: boolean | undefined;
  className?: string | undefined;
  /** True for a button without the arrow, such as “⋯”. */
  isBare?: boolean | undefined;
  /** Called when the menu has closed, with or without a choice. */
  onClose?: (() => void) | undefined;
}
