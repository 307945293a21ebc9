import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { countPeople } from '../../../lib/affected.ts';
import type { Evidence, Incident, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { useMemberName } from '../../../lib/members.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { formatMinute, formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SeverityGlyph, StatusGlyph } from '../../../ui/display/glyphs.tsx';
import { Icon } from '../../../ui/display/icons.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { useTitle } from '../../../ui/layout/page.tsx';
import { SilenceSlot } from '../../../ui/silences/silence-slot.tsx';
import { EditIncident } from '../change/edit-incident.tsx';
import { useHeldChanges } from '../change/held-changes.ts';
import { StateButtons } from '../change/state-buttons.tsx';
import { UndoResolution } from '../change/undo-resolution.tsx';
import { CurrentFacts } from '../evidence/current-facts.tsx';
import { splitLate } from '../evidence/events-since.ts';
import { countEvents, formatWindow } from '../evidence/evidence-words.ts';
import { Fact } from '../evidence/fact.tsx';
import { JoinedSeries } from '../evidence/joined-series.tsx';
import { WhatChanged } from '../evidence/what-changed.tsx';
import { headlineOf } from '../headline.ts';
import { eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { ShareIncident } from './share-incident.tsx';
import { useIncidentKeys } from './use-incident-keys.ts';

const FACTS = 'mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-text-muted';

/** The head of an incident: the sentence of its cause, its main facts, what is observed now, and its actions. */
export function IncidentHead({ incident }: { incident: IncidentDetail }) {
  const { title, evidence } = incident;
  const [editing, setEditing] = useState(false);
  const [explained, setExplained] = useState(false);
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === incident.projectId);
  const projectName = project ? describeProject(project) : null;
  const { sentence, chosenTitle } = headlineOf(incident);
  useTitle(title);
  useIncidentKeys(incident.id, () => setEditing(true));
  return (
    <header className="mb-3">
      <h1 className="wrap-anywhere">
        {chosenTitle && <span className="block">{chosenTitle}</span>}
        <span className={chosenTitle ? 'block text-base font-normal' : ''}>
          <Sentence text={sentence} at={evidence?.to} />
        </span>
      </h1>
      <MainFacts incident={incident} project={projectName} />
      {evidence && <LiveFacts incident={incident} evidence={evidence} />}
      {evidence && <JoinedSeries incident={incident} evidence={evidence} />}
      <div className="mt-3">
        <StateButtons incident={incident}>
          <UndoResolution incident={incident} />
          <SilenceSlot
            id={incident.id}
            projectId={incident.projectId}
            type={evidence?.series.type ?? null}
            source={evidence?.series.source ?? null}
            groupKey={null}
          />
          <Button variant="ghost" aria-keyshortcuts="e" onClick={() => setEditing(true)}>
            <Icon name="edit" />
            {texts.head.edit}
          </Button>
          <ShareIncident incident={incident} project={projectName} />
          {evidence && (
            <Button variant="ghost" aria-expanded={explained} onClick={() => setExplained(!explained)}>
              {texts.head.why}
            </Button>
          )}
        </StateButtons>
      </div>
      {evidence && explained && <Why incident={incident} evidence={evidence} />}
      {editing && <EditIncident incident={incident} onClose={() => setEditing(false)} />}
    </header>
  );
}

/** One line: how bad, who has it, where, how much and since when. */
function MainFacts({ incident, project }: { incident: IncidentDetail; project: string | null }) {
  const { id, severity, status, projectId, origin, investigatorId } = incident;
  const heldTo = useHeldChanges().get(id)?.to;
  const investigator = useMemberName(status === 'investigating' ? investigatorId : null);
  const events = origin === 'risk' ? countEvents(incident, formatCount) : null;
  return (
    <dl className={FACTS}>
      <Fact name={texts.head.facts.severity}>
        <SeverityGlyph severity={severity} withWord />
      </Fact>
      <Fact name={texts.head.facts.status}>
        <span aria-live="polite">
          <StatusGlyph status={heldTo ?? status} />
          {investigator && !heldTo && (
            <strong className="ml-2 font-semibold text-text">{texts.head.isOnIt(investigator)}</strong>
          )}
        </span>
      </Fact>
      <Fact name={texts.head.facts.project}>
        <Link to="/projects/$projectId" params={{ projectId }} className="hover:underline">
          {project ?? texts.head.facts.project}
        </Link>
      </Fact>
      {events && <Fact name={texts.head.facts.events}>{events}</Fact>}
      {origin === 'manual' && <Fact name={texts.head.facts.events}>{texts.head.manual}</Fact>}
      {origin === 'schedule' && (
        <Fact name="Cause">
          <Link
            to="/projects/$projectId/schedules"
            params={{ projectId }}
            className="text-accent hover:underline"
          >
            {texts.head.schedule}
          </Link>
        </Fact>
      )}
      <Fact name={texts.head.facts.time}>
        <Duration incident={incident} />
      </Fact>
    </dl>
  );
}

/** From the beginning of the window in which it was found, not from the moment at which that was noticed. */
function Duration({ incident: { evidence, createdAt, resolvedAt } }: { incident: Incident }) {
  const now = useNow();
  const fromMs = Date.parse(evidence?.from ?? createdAt);
  const toMs = resolvedAt ? Date.parse(resolvedAt) : Math.max(now, fromMs);
  const duration = formatDuration(toMs - fromMs);
  if (!resolvedAt) return texts.head.since(formatSlotTime(fromMs), duration);
  return (
    <>
      {texts.head.between(formatSlotTime(fromMs), formatMinute(toMs), duration)}, {texts.head.resolved}{' '}
      <RelativeTime at={resolvedAt} />
    </>
  );
}

/** What is observed now, whom it hits, and what changed before. */
function LiveFacts({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { current } = incident;
  const { data: events } = useQuery(eventsBehindQuery(incident.id));
  const people = events && countPeople(splitLate(events.items, evidence).events);
  return (
    <dl className={`${FACTS} min-h-5 text-text!`}>
      {current && <CurrentFacts current={current} evidence={evidence} />}
      {people && (
        <Fact name={texts.head.facts.affected}>{texts.head.affected(people, events.next !== null)}</Fact>
      )}
      <WhatChanged incident={incident} evidence={evidence} />
    </dl>
  );
}

/** What the sentence leaves out. */
function Why({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  return (
    <p className={FACTS}>
      <span>{texts.head.found(formatWindow(evidence))}</span>
      <span>
        {texts.head.opened} <RelativeTime at={incident.createdAt} />
      </span>
      <Link
        to="/projects/$projectId/alarms"
        params={{ projectId: incident.projectId }}
        className="text-accent hover:underline"
      >
        {texts.head.settings}
      </Link>
    </p>
  );
}
