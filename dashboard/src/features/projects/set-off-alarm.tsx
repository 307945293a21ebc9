import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { queryClient, serviceQuery } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { createAnotherKey, newestIncidentQuery, newestKeyQuery } from './queries.ts';
import { BURST_LENGTH, sendBurst } from './send-burst.ts';
import { texts } from './start-texts.ts';

const words = texts.setOffAlarm;

/** Sends a burst of sample errors from the browser, and shows the incident that they open. */
export function SetOffAlarm({ project }: { project: ProjectRecord }) {
  const { data: service } = useQuery(serviceQuery);
  const { data: key } = useQuery(newestKeyQuery(project.id));
  const { data: newest } = useQuery(newestIncidentQuery(project.id, false));
  const burst = useMutation({
    mutationFn: async (ingestUrl: string) => {
      const { rawKey } = key ?? (await createAnotherKey(project.id, texts.lostKey.name));
      await sendBurst({ apiKey: rawKey, ingestUrl, source: project.name, number: project.number });
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
        {(burst.isSuccess || isOpen) && <Outcome projectId={project.id} />}
      </div>
    </Section>
  );
}

function Outcome({ projectId }: { projectId: string }) {
  const { data: incident, error } = useQuery(newestIncidentQuery(projectId, true));
  if (!incident || incident.status === 'resolved')
    return (
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
