import { formatBadge } from '../lib/format.ts';
import { DropDown } from '../ui/controls/drop-down.tsx';
import { Icon } from '../ui/display/icons.tsx';
import { markRead, useHistory } from './news-history.ts';
import { NewsList } from './news-list.tsx';
import { texts } from './texts.ts';

/** The last notices of incidents, for users who missed their toasts. */
export function NewsBell() {
  const { unread } = useHistory();
  return (
    <DropDown
      name={texts.history.name(unread)}
      label={
        <span className="relative">
          <Icon name="bell" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-2.5 left-2 rounded-full bg-bad-soft px-1 text-xs leading-4 text-text"
            >
              {formatBadge(unread)}
            </span>
          )}
        </span>
      }
      panelClass="w-80 max-sm:fixed max-sm:inset-x-4 max-sm:w-auto"
      onClose={markRead}
    >
      {(close) => <NewsList close={close} />}
    </DropDown>
  );
}
