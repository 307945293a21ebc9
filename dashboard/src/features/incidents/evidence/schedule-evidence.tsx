import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Incident } from '../../../lib/api-types.ts';
import { serviceQuery } from '../../../lib/queries.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { CheckInList } from '../../../ui/schedules/check-in-list.tsx';
import { texts } from '../texts.ts';
import { useSchedule } from './use-schedule.ts';

const words = texts.schedule;

/** The check-ins of the scheduled job behind an incident, and the line by which it checks in. */
export function ScheduleEvidence({ incident }: { incident: Incident }) {
  const { projectId } = incident;
  const { schedule, checkIns, isGone } = useSchedule(incident);
  const { data, error, refetch } = checkIns;
  const { data: service } = useQuery(serviceQuery);
  if (isGone) return <p className="mb-6 text-text-muted">{words.gone}</p>;
  const line = schedule && service && words.line(service.ingestUrl, schedule.slug);
  return (
    <>
      <Section
        title={words.checkIns}
        actions={
          <Link
            to="/alerts/schedules"
            search={{ project: projectId }}
            className="text-sm leading-6 text-accent hover:underline print:hidden"
          >
            {words.all}
          </Link>
        }
      >
        {data ? (
          <CheckInList label={words.checkIns} checkIns={data.items} />
        ) : (
          <QueryState query={{ error, refetch }} rows={4} rowClass="h-8" />
        )}
      </Section>
      {line && (
        <Section
          title={words.ping}
          actions={<CopyButton text={line} variant="ghost" icon="copy" label={words.copy} />}
        >
          <pre
            tabIndex={0}
            className="overflow-x-auto rounded-md border border-line bg-muted p-3 font-mono text-sm"
          >
            <code>{line}</code>
          </pre>
        </Section>
      )}
    </>
  );
}
