import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { numberOfKey } from '../../../../../server/src/tenancy/projects/group-key.ts';
import type { Group } from '../../../lib/api-types.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { keyedGroupQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/**
 * The group whose key was typed into the search, if the list leaves it out: it is in another state or project, or
 * less severe.
 */
export function KeyOffer({ words, listed }: { words: string; listed: readonly Group[] }) {
  const isKey = numberOfKey(words) !== null;
  const { data: group } = useQuery({ ...keyedGroupQuery(words), enabled: isKey });
  if (!isKey || !group || listed.some(({ id }) => id === group.id)) return null;
  const { id, key, title, state } = group;
  return (
    <section aria-label={texts.list.withKey} className="my-2 flex">
      <Link to="/groups/$groupId" params={{ groupId: id }} className={`${buttonClass()} max-w-full`}>
        <span className="flex-none">{key}</span>
        <span className="min-w-0 truncate font-normal">{title}</span>
        <span className="flex-none font-normal text-text-muted">{texts.states[state]}</span>
      </Link>
    </section>
  );
}
