import { type ReactElement, type ReactNode, useId } from 'react';
import { Icon } from '../display/icons.tsx';
import { texts } from '../texts.ts';
import { buttonClass } from './button.tsx';
import { onDemand, usePopupCode } from './on-demand.ts';

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

/** The menu of Base UI, loaded as the list of a select is. */
export const menuPopup = onDemand(() => import('./menu-popup.tsx'));

/**
 * A button that opens a menu: arrow keys, first letters, Escape.
 * `<Menu label="Mute" groups={[{ items: [{ label: '1 hour', onSelect: () => mute('1h') }] }]} />`
 */
export function Menu(props: MenuProps) {
  const { label, name, groups, variant = 'plain', disabled, className = '', onClose } = props;
  const triggerId = useId();
  const { code, opensAtOnce, triggerProps } = usePopupCode(menuPopup, triggerId);
  const triggerClass = `${buttonClass(variant)} ${className}`;
  if (code !== null && code !== 'failed')
    return (
      <code.MenuPopup
        {...{ label, name, groups, disabled, onClose, triggerId, triggerClass }}
        isOpenAtFirst={opensAtOnce}
      />
    );
  return (
    <button
      type="button"
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded="false"
      disabled={disabled}
      className={triggerClass}
      {...triggerProps}
    >
      {label}
      <span role="status">{code === 'failed' && texts.couldNotLoad}</span>
      <Icon name="chevron" className="-mr-1" />
    </button>
  );
}
