import { useInfiniteQuery } from '@tanstack/react-query';
import type { Group } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { useMemberNames } from '../../../lib/members/member-names.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { historyQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { describeEntry } from './history-words.ts';

/** The changes of the group by people and by itself, newest first. */
export function GroupHistory({ group }: { group: Group }) {
  const list = useInfiniteQuery(historyQuery(group.id));
  const nameOf = useMemberNames();
  const now = useNow();
  const entries = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Section title={texts.page.history}>
      {entries ? (
        entries.length === 0 ? (
          <p className="px-2 text-sm text-text-muted">{texts.page.noHistory}</p>
        ) : (
          <>
            <ol aria-label={texts.page.history} className="space-y-2 border-l border-line pl-3 text-sm">
              {entries.map((entry) => (
                <li key={entry.id} className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    {entry.userId !== null && (
                      <>
                        <span className="font-semibold">
                          {entry.userName ?? texts.list.unknownMember}
                        </span>{' '}
                      </>
                    )}
                    {describeEntry(entry, now, nameOf)}
                  </span>
                  <RelativeTime at={entry.at} className="text-xs text-text-muted" />
                </li>
              ))}
            </ol>
            <LoadMore list={list} />
          </>
        )
      ) : (
        <QueryState query={list} rows={3} rowClass="h-8" />
      )}
    </Section>
  );
}
