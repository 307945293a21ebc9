import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Group } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { groupReleasesQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const SHOWN = 8;

/** The group's events by release, the last release first. */
export function GroupReleases({ group }: { group: Group }) {
  const list = useInfiniteQuery(groupReleasesQuery(group.id));
  const [isWhole, setWhole] = useState(false);
  const now = useNow();
  const releases = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const scan = list.data?.pages[0]?.scan;
  const more = isWhole ? 0 : releases.length - SHOWN;
  // The links lead to the events that are counted.
  const fromMs = (scan?.fromMs ?? Date.parse(group.firstSeen)) - 1;
  const range = { from: new Date(fromMs).toISOString(), to: new Date(now).toISOString() };
  if (list.data && releases.every(({ version }) => version === null)) return null;
  return (
    <Section title={texts.page.releases}>
      {list.data ? (
        <>
          <ul className="text-sm">
            {releases.slice(0, releases.length - Math.max(0, more)).map(({ version, events, deployedAt }) => (
              <li key={version} className="flex min-h-8 items-center gap-3 px-2">
                {version === null ? (
                  <span className="min-w-0 flex-1 text-text-muted">{texts.page.noRelease}</span>
                ) : (
                  <Link
                    to="/events"
                    search={{ project: group.projectId, ...range, group_id: group.id, release: version }}
                    title={version}
                    className="line-clamp-3 min-w-0 flex-1 font-mono text-xs leading-6 wrap-anywhere hover:underline"
                  >
                    {version}
                  </Link>
                )}
                {deployedAt && <RelativeTime at={deployedAt} className="text-xs text-text-muted" />}
                <span className="w-14 text-right">
                  {formatCount(events)}
                  <span className="sr-only"> {texts.page.events}</span>
                </span>
              </li>
            ))}
          </ul>
          {more > 0 ? (
            <Button variant="ghost" onClick={() => setWhole(true)}>
              {texts.page.moreReleases(more, list.hasNextPage)}
            </Button>
          ) : (
            <LoadMore list={list} />
          )}
          {scan && (
            <p className="mt-1 px-2 text-xs text-text-muted">
              {texts.page.inNewest(formatCount(scan.events), true)}
            </p>
          )}
        </>
      ) : (
        <QueryState query={list} rows={3} rowClass="h-8" />
      )}
    </Section>
  );
}
