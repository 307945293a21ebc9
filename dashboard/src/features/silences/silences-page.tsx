import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { nameProjects } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import { readSilenceSearch, SILENCE_STATES, type SilenceSearch } from '../../lib/search/silence-search.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Key } from '../../ui/controls/key.tsx';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { AlertsPage } from '../../ui/layout/alerts/alerts-page.tsx';
import { DEFAULT_LENGTH } from './lengths.ts';
import { silencesQuery } from './queries.ts';
import type { ScopeChoice } from './scopes.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilenceLine } from './silence-line.tsx';
import { texts } from './texts.ts';

const words = texts.page;

/** The silences of all projects or one: active ones, and ended ones with their matches. */
export function SilencesPage() {
  const { state = 'active', create = false } = readSilenceSearch(useSearch({ strict: false }));
  const [{ project }] = useScope();
  const navigate = useNavigate({ from: '/alerts/silences' });
  const { data: projects = [], isPending } = useQuery(projectsQuery);
  const names = nameProjects(projects);
  const list = useInfiniteQuery(silencesQuery({ state }, project));
  const silences = list.data?.pages.flatMap(({ items }) => items);
  const change = (search: SilenceSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...search }), replace: true });
  const add = () => change({ create: true });
  useShortcuts([{ keys: 's', label: words.add, run: add }]);
  return (
    <AlertsPage title={words.title}>
      <p className="mb-3 max-w-prose text-text-muted">{words.intro}</p>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <SelectField
          label={words.state}
          labelHidden
          className="w-36"
          value={state}
          onChange={(chosen) => change({ state: chosen })}
          options={SILENCE_STATES.map((value) => ({ value, label: words.states[value] }))}
        />
        <Button variant="primary" aria-keyshortcuts="s" onClick={add}>
          {words.add} <Key>s</Key>
        </Button>
      </div>
      {silences ? (
        silences.length === 0 ? (
          <Empty sign="paused" title={words.none[state]}>
            {words.noneHint}
          </Empty>
        ) : (
          <ul aria-label={words.list} className="border-t border-line">
            {silences.map((silence) => (
              <SilenceLine key={silence.id} silence={silence} names={names} />
            ))}
          </ul>
        )
      ) : (
        <QueryState query={list} rows={4} />
      )}
      <LoadMore list={list} />
      {/* The dialog waits for the projects: the first choice would be all of them, and change before Enter confirms it. */}
      {create && !isPending && (
        <SilenceDialog
          scopes={scopesOfOrganization(names, project)}
          length={DEFAULT_LENGTH}
          onClose={() => change({ create: undefined })}
        />
      )}
    </AlertsPage>
  );
}

/** Returns the scopes: the project of the page first, all projects last. */
function scopesOfOrganization(
  names: ReadonlyMap<string, string>,
  project: string | undefined,
): ScopeChoice[] {
  const ofProjects = [...names]
    .toSorted(([one], [other]) => Number(other === project) - Number(one === project))
    .map(([projectId, name]) => ({ label: texts.dialog.projectNamed(name), scope: { projectId } }));
  return [...ofProjects, { label: texts.dialog.scopes.organization, scope: {} }];
}
