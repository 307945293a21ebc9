import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { type ComparisonSearch, readComparisonSearch } from '../../../lib/search/release-search.ts';
import { toOptions } from '../../../ui/controls/select.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { LoadMore } from '../../../ui/feedback/load-more.tsx';
import { Empty, QueryState } from '../../../ui/feedback/states.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { comparisonQuery, environmentsQuery, releasesQuery } from '../queries.ts';
import { ComparisonResult } from './comparison-result.tsx';
import { texts } from './texts.ts';

/** Says what got worse between two releases of a project: by default the latest one and the one before. */
export function ComparePage() {
  const search = readComparisonSearch(useSearch({ strict: false }));
  const [scope] = useScope();
  const { data: projects } = useQuery(projectsQuery);
  const project = scope.project ?? (projects?.length === 1 ? projects[0]?.id : undefined);
  return (
    <Page title={texts.title}>
      {project === undefined ? (
        projects && (
          <Empty sign="search" title={texts.chooseProject.title}>
            {texts.chooseProject.text}
          </Empty>
        )
      ) : (
        <ProjectComparison project={project} search={search} />
      )}
    </Page>
  );
}

function ProjectComparison({ project, search }: { project: string; search: ComparisonSearch }) {
  const query = useQuery(comparisonQuery(project, search));
  const { data } = query;
  if (data?.release === null) {
    return (
      <Empty title={texts.none.title}>
        <Sentence text={texts.none.text} />
      </Empty>
    );
  }
  const release = search.release ?? data?.release.version;
  const base = search.base ?? data?.base?.version;
  return (
    <>
      <Choice {...{ project, release, base }} environment={search.environment} />
      {data ? <ComparisonResult comparison={data} /> : <QueryState query={query} rows={8} rowClass="h-12" />}
    </>
  );
}

interface ChoiceProps extends ComparisonSearch {
  project: string;
}

/** The releases and the environment that are compared. */
function Choice({ project, release, base, environment }: ChoiceProps) {
  const navigate = useNavigate({ from: '/releases/compare' });
  const list = useInfiniteQuery(releasesQuery(project));
  const { data: environments = [] } = useQuery(environmentsQuery(project));
  const versions = list.data?.pages.flatMap(({ items }) => items.map(({ version }) => version)) ?? [];
  const choose = (chosen: ComparisonSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...chosen }), replace: true });
  return (
    <div className="mb-4 grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-[repeat(3,minmax(0,14rem))]">
      <SelectField
        label={texts.release}
        options={optionsOf(versions, release)}
        value={release ?? ''}
        onChange={(version) => choose({ release: version, base })}
      />
      <SelectField
        label={texts.base}
        options={optionsOf(versions, base)}
        value={base ?? ''}
        onChange={(version) => choose({ release, base: version })}
      />
      <SelectField
        label={texts.environment}
        options={[
          { value: '', label: texts.watched },
          ...optionsOf(
            environments.map(({ name }) => name),
            environment,
          ),
        ]}
        value={environment ?? ''}
        onChange={(name) => choose({ environment: name === '' ? undefined : name })}
      />
      {list.hasNextPage && (
        <div className="w-fit sm:col-span-full">
          <LoadMore list={list} note={texts.newest(versions.length)} />
        </div>
      )}
    </div>
  );
}

/** Options of all names, with the chosen one, which a long list may not have. */
function optionsOf(names: readonly string[], chosen: string | undefined) {
  return toOptions([...new Set(chosen === undefined ? names : [...names, chosen])]);
}
