import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../lib/queries.ts';
import { DropDown } from '../../ui/controls/drop-down.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { texts as words } from './texts.ts';

/** The name of the user, over the panel of the account. @param children returns the content of the panel */
export function UserMenu({ children }: { children: (close: () => void) => ReactNode }) {
  const { data: session } = useQuery(sessionQuery);
  const name = session?.user.name ?? words.account;
  return (
    <DropDown
      name={name}
      label={
        <>
          <Icon name="user" className="md:hidden" />
          <span className="hidden max-w-40 truncate md:inline">{name}</span>
        </>
      }
    >
      {children}
    </DropDown>
  );
}
