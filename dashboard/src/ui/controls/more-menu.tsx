import { texts } from '../texts.ts';
import { Menu } from './menu.tsx';
import type { MenuProps } from './menu-props.ts';

/** The button “⋯” with the actions that a row of buttons has no room for. */
export function MoreMenu({ groups }: Pick<MenuProps, 'groups'>) {
  return (
    <Menu
      isBare
      label={<span aria-hidden="true">⋯</span>}
      name={texts.moreActions}
      className="min-w-9 gap-0! px-2! pointer-coarse:min-w-10"
      groups={groups}
    />
  );
}
