import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ComparedGroup } from '../../../lib/api-types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { texts } from './texts.ts';
import { type ComparedPair, describeChange, describeRate, describeRates, groupOf } from './words.ts';

const SHOWN = 10;

/** The groups that got worse, those that are new, and those that are gone. */
export function ChangedGroups({ comparison }: { comparison: ComparedPair }) {
  const { groups, totals, release, base } = comparison;
  const listOf = (change: ComparedGroup['change']) => groups.filter((group) => group.change === change);
  // Without events of the older release, only the new groups are known.
  const isComparable = base.events > 0;
  const worse = listOf('worse');
  const clear = worse.filter(({ difference }) => difference !== null && difference.low > 0);
  const byChance = worse.filter((group) => !clear.includes(group));
  const rates = (group: ComparedGroup) => describeRates(groupOf(comparison, group), base.version);
  const change = (group: ComparedGroup) => describeChange(groupOf(comparison, group));
  return (
    <>
      {isComparable && (
        <GroupList
          title={texts.worse.title}
          none={texts.worse.none}
          groups={clear}
          total={clear.length === worse.length ? totals.worse : clear.length}
          counts={rates}
          change={change}
        >
          {byChance.length > 0 && (
            <details className="mt-2">
              <summary className="cursor-pointer py-1 text-sm text-text-muted">
                {texts.worse.byChance(totals.worse - clear.length)}
              </summary>
              <Rows groups={byChance} counts={rates} change={change} />
            </details>
          )}
        </GroupList>
      )}
      <div className="grid gap-x-6 lg:grid-cols-2">
        <GroupList
          title={texts.begun.title(release.version)}
          none={texts.begun.none}
          groups={listOf('new')}
          total={totals.new}
          counts={({ events }) => describeRate(events, release.events)}
        />
        {isComparable && (
          <GroupList
            title={texts.gone.title(release.version)}
            none={texts.gone.none}
            groups={listOf('gone')}
            total={totals.gone}
            counts={({ baseEvents }) => texts.gone.count(base.version, baseEvents)}
          />
        )}
      </div>
    </>
  );
}

interface RowsProps {
  groups: readonly ComparedGroup[];
  counts: (group: ComparedGroup) => string;
  change?: (group: ComparedGroup) => string | null;
}

interface GroupListProps extends RowsProps {
  title: string;
  none: string;
  /** Number of all such groups; the largest are listed. */
  total: number;
  children?: React.ReactNode;
}

function GroupList({ title, none, groups, total, children, ...rows }: GroupListProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? groups : groups.slice(0, SHOWN);
  return (
    <section aria-label={title} className="mb-6 min-w-0">
      <h2 className="mb-1 wrap-anywhere">
        {title} {total > 0 && <span className="font-normal text-text-muted">{total}</span>}
      </h2>
      {groups.length === 0 ? (
        <p className="text-sm text-text-muted">{none}</p>
      ) : (
        <Rows groups={shown} {...rows} />
      )}
      {shown.length < groups.length && (
        <Button variant="ghost" onClick={() => setWhole(true)}>
          {texts.showMore(groups.length - shown.length)}
        </Button>
      )}
      {shown.length === groups.length && groups.length < total && (
        <p className="mt-1 px-2 text-xs text-text-muted">{texts.unlisted(total - groups.length)}</p>
      )}
      {children}
    </section>
  );
}

function Rows({ groups, counts, change }: RowsProps) {
  return (
    <ul className="divide-y divide-line border-y border-line text-sm">
      {groups.map((group) => (
        <li key={group.id}>
          <Link
            to="/groups/$groupId"
            params={{ groupId: group.id }}
            className="flex min-h-11 gap-2 px-2 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <SeverityGlyph severity={group.severity} />
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-4">
              <span className="min-w-0 flex-[1_1_16rem]">
                <span className="line-clamp-2 wrap-anywhere">
                  <Message text={group.title} />
                </span>
                <span className="block text-xs text-text-muted wrap-anywhere">
                  <bdi>{group.key}</bdi> · {counts(group)}
                </span>
              </span>
              {change && <strong className="font-semibold">{change(group)}</strong>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
