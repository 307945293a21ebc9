import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Evidence, Incident, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { formatTimeBeside } from '../../../ui/charts/chart-time.ts';
import { SeverityGlyph, StatusGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { type Figure, PageHead } from '../../../ui/layout/page-head.tsx';
import { EditIncident } from '../change/edit-incident.tsx';
import { useHeldChanges } from '../change/held-changes.ts';
import { describeNumbers } from '../evidence/current-words.ts';
import { formatWindow } from '../evidence/evidence-words.ts';
import { figureOfSchedule, useSchedule } from '../evidence/use-schedule.ts';
import { texts } from '../texts.ts';
import { describeHead } from './head-sentence.ts';
import { IncidentActions } from './incident-actions.tsx';
import { IncidentFacts } from './incident-facts.tsx';
import { useIncidentKeys } from './use-incident-keys.ts';

/** The head of an incident: its title, its rate, its main facts, and its actions. */
export function IncidentHead({ incident }: { incident: IncidentDetail }) {
  const { id, title, evidence, projectId, severity, status } = incident;
  const [editing, setEditing] = useState(false);
  const [explained, setExplained] = useState(false);
  const now = useNow();
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find((one) => one.id === projectId);
  const projectName = project ? describeProject(project) : null;
  const heldTo = useHeldChanges().get(id)?.to;
  const investigator = useInvestigator(incident);
  const schedule = useSchedule(incident);
  const figure = figureOf(incident) ?? figureOfSchedule(incident, schedule, now);
  useIncidentKeys(id, () => setEditing(true));
  return (
    <>
      <PageHead
        title={title}
        heading={title}
        context={
          <>
            {/* Says changes of either, once: of others and of this page. */}
            <span aria-live="polite" aria-atomic="true" className="flex gap-x-3">
              <SeverityGlyph severity={severity} withWord />
              <StatusGlyph status={heldTo ?? status} />
            </span>
            <Link
              to="/projects/$projectId"
              params={{ projectId }}
              className="min-w-24 flex-1 basis-0 truncate hover:underline"
            >
              {projectName ?? texts.head.project}
            </Link>
          </>
        }
        sentence={describeHead(incident, { figure, investigator, nowMs: now })}
        figure={figure}
        beside={
          evidence && (
            <button
              type="button"
              aria-expanded={explained}
              className="min-h-6 text-sm text-accent hover:underline"
              onClick={() => setExplained(!explained)}
            >
              {texts.head.why}
            </button>
          )
        }
        facts={<IncidentFacts incident={incident} investigator={investigator} />}
        actions={
          <IncidentActions
            incident={incident}
            investigator={investigator}
            project={projectName}
            scheduleId={schedule.isGone ? null : incident.scheduleId}
            onEdit={() => setEditing(true)}
          />
        }
      />
      {evidence && explained && <Why incident={incident} evidence={evidence} />}
      {editing && <EditIncident incident={incident} onClose={() => setEditing(false)} />}
    </>
  );
}

/** Returns the name of the person who has it: from the timeline where it is there, so that the facts do not move later. */
function useInvestigator({ status, investigatorId, timeline }: IncidentDetail): string | null {
  const id = status === 'investigating' ? investigatorId : null;
  const known = id && timeline.findLast(({ by }) => by?.id === id)?.by?.name;
  const found = useMemberName(known ? null : id);
  return known || found;
}

function figureOf(incident: IncidentDetail): Figure | null {
  const numbers = describeNumbers(incident, (timeMs) => formatTimeBeside(Date.parse(incident.since), timeMs));
  if (!numbers) return null;
  const { main, isNow, details } = numbers;
  const when = isNow ? texts.current.now : texts.current.atFirst;
  return { value: main, details: [when, ...details].join(' · ') };
}

/** The sentence of the cause, and the window in which it was found. */
function Why({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  return (
    <section aria-label={texts.head.why} className="mb-5 text-sm">
      <p className="wrap-anywhere">
        <Sentence text={evidence.sentence} at={evidence.to} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-text-muted">
        <span>{texts.head.found(formatWindow(evidence))}</span>
        <span>
          {texts.head.opened} <RelativeTime at={incident.createdAt} />
        </span>
        <Link to="/alerts" search={{ project: incident.projectId }} className="text-accent hover:underline">
          {texts.head.settings}
        </Link>
      </p>
    </section>
  );
}
