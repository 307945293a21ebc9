import { useQuery } from '@tanstack/react-query';
import { MAX_FILTER_VALUE_LENGTH } from '../../../../../server/src/events/limits.ts';
import { useScope } from '../../../lib/scope.ts';
import type { EventSearch } from '../../../lib/search/event-search.ts';
import {
  correlationKeysQuery,
  describeKey,
  isIdLike,
  matchingGroupsQuery,
  searchOfKey,
} from '../../../lib/search/search-offers.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { texts } from '../texts.ts';
import type { ChangeSearch } from './use-event-search.ts';

const KEYS_OFFERED = 4;

interface SearchOffersProps {
  search: EventSearch;
  /** True if no message holds the words: then they may be an id, whatever they look like. */
  nothingFound: boolean;
  onChange: ChangeSearch;
}

/** Other matches of the words of a search: ids in correlations, and titles of groups. */
export function SearchOffers({ search, nothingFound, onChange }: SearchOffersProps) {
  const [scope] = useScope();
  const words = search.q ?? '';
  const mayBeId =
    words !== '' && words.length <= MAX_FILTER_VALUE_LENGTH && (nothingFound || isIdLike(words));
  const { data: found } = useQuery({ ...correlationKeysQuery(words, scope.project), enabled: mayBeId });
  const { data: groups = [] } = useQuery({
    ...matchingGroupsQuery(words, scope.project),
    enabled: words !== '',
  });
  const keys = (mayBeId && found?.answer.slice(0, KEYS_OFFERED)) || [];
  if (words === '' || keys.length + groups.length === 0) return null;
  return (
    <section aria-label={texts.offers.label} className="flex flex-wrap gap-1.5 px-4 pb-2">
      {keys.map((key) => (
        <Button
          key={key.key}
          className="max-w-full"
          onClick={() => onChange(searchOfKey(key, words, scope), { alone: true })}
        >
          <span className="truncate">{describeKey(key, words, found?.scan ?? null)}</span>
        </Button>
      ))}
      {groups.map((group) => (
        <Button
          key={group.id}
          className="max-w-full"
          onClick={() => onChange({ group_id: group.id }, { alone: true })}
        >
          <span className="truncate">{texts.offers.group(`${group.key} ${group.title}`, group.count)}</span>
        </Button>
      ))}
    </section>
  );
}
