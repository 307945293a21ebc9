import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../lib/queries.ts';
import { DropDown } from '../../ui/controls/drop-down.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { texts as words } from './texts.ts';
import { UserPanel } from './user-panel.tsx';

/** The name of the user, over the panel of the account. */
export function UserMenu() {
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
      {(close) => <UserPanel close={close} />}
    </DropDown>
  );
}
