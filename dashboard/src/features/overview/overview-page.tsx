import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { incidentCountsQuery, projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EventsOverTime } from './events-over-time.tsx';
import { LedgerFooter, LedgerWarning } from './ledger-notes.tsx';
import { OpenIncidents } from './open-incidents.tsx';
import { texts } from './texts.ts';
import { TopList } from './top-list.tsx';
import { useLedger } from './use-ledger.ts';

const words = texts.overviewPage;

/** The start page: open incidents, event rates, and the top types and sources. */
export function OverviewPage() {
  const [{ project }] = useScope();
  const { data: projects, error, refetch } = useQuery(projectsQuery);
  // The number of incidents gives the height of their list: the parts below it then stay in place.
  const { isPending: uncounted } = useQuery({
    ...incidentCountsQuery(project),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={words.overview} wide>
      {projects && !uncounted ? (
        projects.length === 0 ? (
          <NoProjects />
        ) : (
          <Dashboard />
        )
      ) : (
        <QueryState query={{ error, refetch }} rows={8} />
      )}
    </Page>
  );
}

function NoProjects() {
  return (
    <Empty
      title={words.noProjectsYet}
      action={
        <Link to="/projects/new" className={buttonClass('primary')}>
          {words.createProject}
        </Link>
      }
    >
      {words.noProjectsHint}
    </Empty>
  );
}

function Dashboard() {
  const ledger = useLedger();
  return (
    <>
      <LedgerWarning {...ledger} />
      <OpenIncidents />
      <EventsOverTime />
      <div className="grid grid-cols-1 gap-x-6 md:grid-cols-2 xl:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,4fr)]">
        <TopList by="type" title={words.topTypes} />
        <TopList by="source" title={words.topSources} />
        <div className="md:max-xl:col-span-2">
          <TopList by="fingerprint" title={words.topFingerprints} />
        </div>
      </div>
      <LedgerFooter {...ledger} />
    </>
  );
}
