import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { formatExactTime } from '../lib/format.ts';
import { COMMAND_MENU_KEYS } from '../lib/platform.ts';
import { describeProject } from '../lib/project-name.ts';
import { projectsQuery } from '../lib/queries.ts';
import { useConnectionState } from '../lib/realtime.ts';
import { DEFAULT_RANGE, RANGES, type RangeName, useScope } from '../lib/scope.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/display/icons.tsx';
import { SelectField } from '../ui/forms/field.tsx';
import { NewsBell } from './news-bell.tsx';
import { texts } from './texts.ts';
import { UserMenu } from './user-menu.tsx';

const words = texts.bar;

/** The project and the time range where the page depends on them, and whether the page is live. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const scope = useMatches({ select: (matches) => matches.at(-1)?.staticData.scope });
  return (
    <header className="sticky top-0 z-20 flex flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2">
      {scope && <ProjectSelect />}
      {scope === 'project and time' && <RangeSelect />}
      <Connection />
      <div className="ml-auto flex items-center gap-2">
        <Button onClick={onSearch} aria-label={words.search} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" />
          <span className="hidden md:inline">{words.search}</span>
          <kbd className="hidden text-xs font-normal text-text-muted md:inline pointer-coarse:hidden">
            {COMMAND_MENU_KEYS}
          </kbd>
        </Button>
        <NewsBell />
        <UserMenu />
      </div>
    </header>
  );
}

function ProjectSelect() {
  const [scope, setScope] = useScope();
  const { data: projects = [], isPending } = useQuery(projectsQuery);
  const isKnown = !scope.project || projects.some(({ id }) => id === scope.project);
  return (
    <SelectField
      label={words.project}
      labelHidden
      className="min-w-36 flex-1 sm:max-w-56"
      value={scope.project ?? ''}
      onChange={(id) => setScope({ project: id || undefined })}
      options={[
        { value: '', label: words.allProjects },
        ...(isKnown ? [] : [{ value: scope.project ?? '', label: isPending ? '…' : words.unknownProject }]),
        ...projects.map((project) => ({ value: project.id, label: describeProject(project) })),
      ]}
    />
  );
}

function RangeSelect() {
  const [scope, setScope] = useScope();
  return (
    <SelectField
      label={words.range}
      labelHidden
      className="min-w-36 flex-1 sm:max-w-44"
      value={scope.from ? 'fixed' : (scope.range ?? DEFAULT_RANGE)}
      onChange={(range) =>
        range !== 'fixed' && setScope({ range: range as RangeName, from: undefined, to: undefined })
      }
      options={[
        ...(scope.from && scope.to
          ? [
              {
                value: 'fixed',
                label: words.fixedRange(formatExactTime(scope.from), formatExactTime(scope.to)),
              },
            ]
          : []),
        ...Object.entries(RANGES).map(([value, label]) => ({ value, label })),
      ]}
    />
  );
}

const CONNECTION = {
  connecting: { className: 'text-text-muted', glyph: '○' },
  live: { className: 'text-good', glyph: '●' },
  reconnecting: { className: 'text-warn', glyph: '◐' },
  offline: { className: 'text-critical', glyph: '○' },
} as const;

/** A dot with a word. */
function Connection() {
  const state = useConnectionState();
  const { className, glyph } = CONNECTION[state];
  return (
    <span
      role="status"
      aria-label={words.connection}
      className={`inline-flex items-center gap-1.5 text-sm lg:w-28 ${className}`}
    >
      <span aria-hidden="true">{glyph}</span>
      <span className="max-lg:sr-only">{words.states[state]}</span>
    </span>
  );
}
