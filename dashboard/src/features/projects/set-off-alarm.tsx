import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Incident, ProjectRecord } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { queryClient, serviceQuery } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import {
  createKey,
  EXPECTED_INTERVAL_MS,
  keysQuery,
  newestIncidentQuery,
  newestKeyQuery,
  revokeKey,
} from './queries.ts';
import { BURST_LENGTH, sendBurst } from './send-burst.ts';
import { texts } from './start-texts.ts';

const words = texts.setOffAlarm;
const MAX_WAIT_MS = 60_000;

/** A burst that was sent. */
interface Burst {
  sentMs: number;
  /** Id of the newest incident before it if that was over; null: none was, or it was open. */
  formerId: string | null;
}

/** Sends a burst of sample errors from the browser, and shows the incident that they open. */
export function SetOffAlarm({ project }: { project: ProjectRecord }) {
  const { data: service } = useQuery(serviceQuery);
  const { data: key } = useQuery(newestKeyQuery(project.id));
  const { data: newest } = useQuery(newestIncidentQuery(project.id));
  const burst = useMutation({
    mutationFn: async (ingestUrl: string): Promise<Burst> => {
      const former = await queryClient.fetchQuery({ ...newestIncidentQuery(project.id), staleTime: 0 });
      const facts = { ingestUrl, source: project.name, number: project.number };
      await withKey(project.id, key?.rawKey, (apiKey) => sendBurst({ ...facts, apiKey }));
      return { sentMs: Date.now(), formerId: former?.status === 'resolved' ? former.id : null };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['events'] }),
  });
  const isOpen = Boolean(newest && newest.status !== 'resolved');
  return (
    <Section title={words.title}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-text-muted">
          {isOpen && !burst.isSuccess ? words.stillOpen : words.hint(BURST_LENGTH)} {!key && words.needsKey}
        </p>
        <Button
          variant={isOpen ? 'plain' : 'primary'}
          disabled={!service}
          busy={burst.isPending}
          onClick={() => service && burst.mutate(service.ingestUrl)}
        >
          {words.title}
        </Button>
      </div>
      {burst.error && <Alert>{burst.error.message}</Alert>}
      <div role="status" aria-label={words.incident} className="mt-3 min-h-10">
        {(burst.isSuccess || isOpen) && <Outcome projectId={project.id} burst={burst.data} />}
      </div>
    </Section>
  );
}

/** Sends with the given key, or else with one that is revoked afterwards. */
async function withKey(
  projectId: string,
  rawKey: string | undefined,
  send: (rawKey: string) => Promise<void>,
) {
  if (rawKey !== undefined) return send(rawKey);
  const temporary = await createKey(projectId, { name: texts.lostKey.name });
  try {
    await send(temporary.rawKey);
  } finally {
    await revokeKey(temporary.id);
    void queryClient.invalidateQueries(keysQuery(projectId));
  }
}

/** The incident of a burst, or one that is open; until there is one, for a minute, the wait for it. */
function Outcome({ projectId, burst }: { projectId: string; burst: Burst | undefined }) {
  const isLate = useNow() - (burst?.sentMs ?? 0) > MAX_WAIT_MS;
  const { data: incident, error } = useQuery({
    ...newestIncidentQuery(projectId),
    refetchInterval: ({ state: { data } }) => !isLate && !isOutcome(data, burst) && EXPECTED_INTERVAL_MS,
  });
  if (!isOutcome(incident, burst))
    return isLate ? (
      <p>
        {words.none}{' '}
        <Link
          to="/alerts/quiet-log"
          search={{ project: projectId }}
          className="inline-block min-h-6 text-accent hover:underline"
        >
          {words.seeWhy}
        </Link>
      </p>
    ) : (
      <p className="text-text-muted">
        {words.waiting(BURST_LENGTH)} {error?.message}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <SeverityGlyph severity={incident.severity} />
      <span className="min-w-0 flex-1 basis-48 font-semibold wrap-anywhere">{incident.title}</span>
      <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} className={buttonClass()}>
        {words.openIncident}
      </Link>
    </p>
  );
}

/** Returns true for an open incident, and for one that is over already but is not from before the burst. */
function isOutcome(incident: Incident | null | undefined, burst: Burst | undefined): incident is Incident {
  if (!incident) return false;
  return incident.status !== 'resolved' || (burst !== undefined && incident.id !== burst.formerId);
}
