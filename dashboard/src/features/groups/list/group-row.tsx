import { Link } from '@tanstack/react-router';
import type { Group } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCompact, formatCount, formatUsers } from '../../../lib/format.ts';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { Initials } from '../../../ui/display/initials.tsx';
import { ListTime } from '../../../ui/display/list-time.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { GroupMarks } from '../group-marks.tsx';
import { describeReleases, describeState } from '../group-words.ts';
import { texts } from '../texts.ts';

/** Columns by the width of the list: the least important disappear first. */
export const COLUMNS =
  'grid items-center gap-x-3 px-2 grid-cols-[1.5rem_1rem_minmax(0,1fr)] @xl:grid-cols-[1.5rem_1rem_minmax(0,1fr)_6rem] @4xl:grid-cols-[1.5rem_1rem_minmax(0,1fr)_6rem_4rem_4rem_9.5rem_1.5rem] @6xl:grid-cols-[1.5rem_1rem_minmax(0,1fr)_8rem_6rem_4rem_4rem_9.5rem_1.5rem]';
const FROM_SMALL = 'hidden @xl:block';
export const FROM_MEDIUM = 'hidden @4xl:block';
export const FROM_WIDE = 'hidden @6xl:block';

interface GroupRowProps {
  group: Group;
  /** Name of the project; null if all groups listed are of one project. */
  project: string | null;
  /** Events of each of the last 24 hours; undefined until they are read. */
  counts: number[] | undefined;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
}

/** A group in two lines. Its title is a link that covers the whole row, below the checkbox. */
export function GroupRow({ group, project, counts, isSelected, onSelect }: GroupRowProps) {
  const { key, severity, count, users, firstSeen, lastSeen, assigneeId } = group;
  const releases = describeReleases(group);
  const recent = counts?.reduce((sum, each) => sum + each, 0) ?? 0;
  return (
    <li
      className={`${COLUMNS} relative min-h-13 scroll-mt-28 py-1.5 hover:bg-hover has-[a:focus-visible]:bg-hover has-[a:focus-visible]:shadow-[inset_2px_0_0_var(--accent)] ${isSelected ? 'bg-accent-soft' : ''}`}
    >
      <label className="relative z-10 -m-2 flex size-10 cursor-pointer items-center justify-center self-center">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={texts.list.select(key)}
          aria-keyshortcuts="x"
          onClick={(event) => onSelect(event.shiftKey)}
          className="size-4 accent-accent"
        />
      </label>
      <SeverityGlyph severity={severity} />
      <GroupHeading group={group} project={project} />
      <span className={`${FROM_WIDE} truncate text-xs text-text-muted`} title={releases ?? undefined}>
        {releases}
      </span>
      <span className={FROM_SMALL} title={counts && texts.counts.last24Hours(formatCount(recent))}>
        <span className="sr-only">{counts && texts.counts.last24Hours(formatCount(recent))}</span>
        {counts && <Sparkline counts={counts} />}
      </span>
      <span className={`${FROM_MEDIUM} text-right`} title={texts.counts.events(formatCount(count))}>
        {formatCompact(count)}
      </span>
      <span className={`${FROM_MEDIUM} text-right ${users === 0 ? 'text-text-muted' : ''}`}>
        {formatUsers(users)}
      </span>
      <span className={`${FROM_MEDIUM} text-right text-xs`}>
        <ListTime at={lastSeen} />
        <span className="text-text-muted">
          <ListTime at={firstSeen} />
        </span>
      </span>
      <span className="hidden @4xl:inline-flex">{assigneeId && <Initials userId={assigneeId} />}</span>
    </li>
  );
}

/** The title, the key and state, and on small screens the counts. */
function GroupHeading({ group, project }: Pick<GroupRowProps, 'group' | 'project'>) {
  const now = useNow();
  const { id, key, title, culprit, state, count, users, lastSeen, assigneeId } = group;
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2">
        <Link
          to="/groups/$groupId"
          params={{ groupId: id }}
          data-group={id}
          className="min-w-0 truncate rounded -outline-offset-1 after:absolute after:inset-0"
          title={title}
        >
          <Message text={title} />
        </Link>
        <GroupMarks group={group} />
      </p>
      <p className="flex items-center gap-x-2 text-xs text-text-muted">
        <span className="flex-none whitespace-nowrap">{key}</span>
        {state !== 'open' && (
          <span className="max-w-48 flex-none truncate text-text">{describeState(group, now)}</span>
        )}
        {project && <span className="max-w-40 min-w-0 truncate">{project}</span>}
        <span className="min-w-0 flex-1 truncate font-mono" title={culprit ?? undefined}>
          {culprit}
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted @4xl:hidden">
        <span>{texts.counts.events(formatCount(count))}</span>
        {users > 0 && <span>{texts.counts.users(formatUsers(users))}</span>}
        <RelativeTime at={lastSeen} />
        {assigneeId && <Initials userId={assigneeId} />}
      </p>
    </div>
  );
}
