import { Menu } from './menu.tsx';
import type { MenuItem } from './menu-props.ts';
import { texts } from './texts.ts';

interface RowMenuProps {
  /** Name of what the row is about. */
  of: string;
  items?: readonly MenuItem[];
  /** Destructive action: the last one, under a line. */
  last?: MenuItem | undefined;
  disabled?: boolean;
}

/** The button “⋯” of a row, with all actions but the most frequent one, which is a button beside it. */
export function RowMenu({ of, items = [], last, disabled }: RowMenuProps) {
  const groups = [items, last ? [last] : []].filter(({ length }) => length > 0);
  if (groups.length === 0) return null;
  return (
    <Menu
      isBare
      variant="ghost"
      label={
        <span aria-hidden="true" className="text-lg leading-none">
          ⋯
        </span>
      }
      name={texts.actionsFor(of)}
      className="min-w-8 px-2! pointer-coarse:min-w-10"
      disabled={disabled}
      groups={groups.map((group) => ({ items: group }))}
    />
  );
}
