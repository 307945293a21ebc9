import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Evidence, Incident, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
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
import { eventsSearch } from '../evidence/events-search.ts';
import { countEvents, describeAffected, formatWindow } from '../evidence/evidence-words.ts';
import { Fact } from '../evidence/fact.tsx';
import { IncidentNumbers } from '../evidence/incident-numbers.tsx';
import { JoinedSeries } from '../evidence/joined-series.tsx';
import { WhatChanged } from '../evidence/what-changed.tsx';
import { texts } from '../texts.ts';
import { ShareIncident } from './share-incident.tsx';
import { useIncidentKeys } from './use-incident-keys.ts';

const FACTS = 'mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-text-muted';

/** The head of an incident: its title, its numbers, its main facts, and its actions. */
export function IncidentHead({ incident }: { incident: IncidentDetail }) {
  const { title, evidence } = incident;
  const [editing, setEditing] = useState(false);
  const [explained, setExplained] = useState(false);
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === incident.projectId);
  const projectName = project ? describeProject(project) : null;
  useTitle(title);
  useIncidentKeys(incident.id, () => setEditing(true));
  return (
    <header className="mb-3">
      <h1 className="wrap-anywhere">{title}</h1>
      <dl className={`${FACTS} items-baseline! min-h-7 text-text!`}>
        <IncidentNumbers incident={incident} />
        <WhatChanged incident={incident} />
      </dl>
      <MainFacts incident={incident} project={projectName} />
      {evidence && <JoinedSeries incident={incident} evidence={evidence} />}
      <div className="mt-3">
        <StateButtons incident={incident}>
          <UndoResolution incident={incident} />
          <FoldedOnPhones>
            <SilenceSlot
              id={incident.id}
              projectId={incident.projectId}
              type={evidence?.series.type ?? null}
              source={evidence?.series.source ?? null}
              groupKey={null}
            />
            <Button aria-keyshortcuts="e" onClick={() => setEditing(true)}>
              <Icon name="edit" />
              {texts.head.edit}
            </Button>
            <ShareIncident incident={incident} project={projectName} />
            {evidence && (
              <Button aria-expanded={explained} onClick={() => setExplained(!explained)}>
                {texts.head.why}
              </Button>
            )}
          </FoldedOnPhones>
        </StateButtons>
      </div>
      {evidence && explained && <Why incident={incident} evidence={evidence} />}
      {editing && <EditIncident incident={incident} onClose={() => setEditing(false)} />}
    </header>
  );
}

/** Buttons that are folded behind "⋯" on phones, which have room for two others. */
function FoldedOnPhones({ children }: { children: ReactNode }) {
  const [unfolded, setUnfolded] = useState(false);
  return (
    <>
      <Button
        aria-expanded={unfolded}
        aria-label={texts.head.more}
        className="sm:hidden"
        onClick={() => setUnfolded(!unfolded)}
      >
        <span aria-hidden="true">⋯</span>
      </Button>
      {/* The line that names active silences is among them, and is no button. */}
      <div className={`contents ${unfolded ? '' : 'max-sm:[&>button]:hidden'}`}>{children}</div>
    </>
  );
}

/** Severity, status, project, counts, affected users and time. */
function MainFacts({ incident, project }: { incident: IncidentDetail; project: string | null }) {
  const { id, severity, status, projectId, origin, links, investigatorId } = incident;
  const now = useNow();
  const affected = describeAffected(incident);
  const heldTo = useHeldChanges().get(id)?.to;
  const investigator = useMemberName(status === 'investigating' ? investigatorId : null);
  const events = countEvents(incident, formatCount);
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
      {events && (
        <Fact name={texts.head.facts.events}>
          <Link to="/events" search={eventsSearch(incident, now)} className="hover:underline">
            {events}
          </Link>
        </Fact>
      )}
      {affected && <Fact name={texts.head.facts.affected}>{affected}</Fact>}
      {origin === 'schedule' && (
        <Fact name={texts.head.facts.cause}>
          <Link
            to="/alerts/schedules"
            search={{ project: projectId }}
            className="text-accent hover:underline"
          >
            {texts.head.schedule}
          </Link>
        </Fact>
      )}
      {origin !== 'risk' && origin !== 'schedule' && (
        <Fact name={texts.head.facts.cause}>
          <span className="capitalize">{origin}</span>
        </Fact>
      )}
      {links.map(({ name, url }) => (
        <Fact key={name} name={texts.head.facts.cause}>
          <a href={url} rel="noreferrer" className="text-accent hover:underline">
            {texts.head.links[name]}
          </a>
        </Fact>
      ))}
      <Fact name={texts.head.facts.time}>
        <Duration incident={incident} nowMs={now} />
      </Fact>
    </dl>
  );
}

function Duration({ incident: { since, until }, nowMs }: { incident: Incident; nowMs: number }) {
  const fromMs = Date.parse(since);
  const toMs = until ? Date.parse(until) : Math.max(nowMs, fromMs);
  const duration = formatDuration(toMs - fromMs);
  if (!until) return texts.head.since(formatSlotTime(fromMs), duration);
  return (
    <>
      {texts.head.between(formatSlotTime(fromMs), formatMinute(toMs), duration)}, {texts.head.resolved}{' '}
      <RelativeTime at={until} />
    </>
  );
}

/** The sentence of the cause, and the window in which it was found. */
function Why({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  return (
    <section aria-label={texts.head.why} className="mt-2 text-sm">
      <p className="wrap-anywhere">
        <Sentence text={evidence.sentence} at={evidence.to} />
      </p>
      <p className={FACTS}>
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
