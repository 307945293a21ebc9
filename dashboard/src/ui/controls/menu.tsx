import { useId } from 'react';
import { Icon } from '../display/icons.tsx';
import { texts } from '../texts.ts';
import { buttonClass } from './button.tsx';
import type { MenuProps } from './menu-props.ts';
import { onDemand, usePopupCode } from './on-demand.ts';

/** The menu of Base UI, loaded on demand like the list of a select. */
export const menuPopup = onDemand(() => import('./menu-popup.tsx'));

/**
 * A button that opens a menu: arrow keys, first letters, Escape.
 * `<Menu label="Mute" groups={[{ items: [{ label: '1 hour', onSelect: () => mute('1h') }] }]} />`
 */
export function Menu(props: MenuProps) {
  const { label, name, groups, variant = 'plain', disabled, className = '', isBare = false, onClose } = props;
  const triggerId = useId();
  const { code, opensAtOnce, triggerProps } = usePopupCode(menuPopup, triggerId);
  const triggerClass = `${buttonClass(variant)} ${className}`;
  if (code !== null && code !== 'failed')
    return (
      <code.MenuPopup
        {...{ label, name, groups, disabled, isBare, onClose, triggerId, triggerClass }}
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
      {!isBare && <Icon name="chevron" className="-mr-1" />}
    </button>
  );
}
