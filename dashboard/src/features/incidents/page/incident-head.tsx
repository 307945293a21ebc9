import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { useMemberName } from '../../../lib/members.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SeverityGlyph, StatusGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { useTitle } from '../../../ui/layout/page.tsx';
import { EditIncident } from '../change/edit-incident.tsx';
import { useHeldChanges } from '../change/held-changes.ts';
import { StateButtons } from '../change/state-buttons.tsx';
import { UndoResolution } from '../change/undo-resolution.tsx';
import { EvidenceFacts } from '../evidence/evidence-facts.tsx';
import { countEvents } from '../evidence/evidence-words.ts';
import { Fact } from '../evidence/fact.tsx';
import { headlineOf } from '../headline.ts';
import { ShareIncident } from './share-incident.tsx';

/** The head of an incident: the sentence of its cause, its main facts and its actions. */
export function IncidentHead({ incident }: { incident: IncidentDetail }) {
  const { severity, title, origin, evidence, createdAt, resolvedAt, previousIncidentId } = incident;
  const [editing, setEditing] = useState(false);
  const heldTo = useHeldChanges().get(incident.id)?.to;
  const investigator = useMemberName(incident.status === 'investigating' ? incident.investigatorId : null);
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === incident.projectId);
  const events = origin === 'manual' ? 'created manually' : countEvents(incident, formatCount);
  const { sentence, chosenTitle } = headlineOf(incident);
  useTitle(title);
  return (
    <header className="mb-3">
      <h1 className="wrap-anywhere">
        <Sentence text={sentence} />
      </h1>
      {evidence && <EvidenceFacts incident={incident} evidence={evidence} />}
      <dl className="mt-1 mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-text-muted">
        {chosenTitle && (
          <Fact name="Title">
            <strong className="font-semibold text-text wrap-anywhere">{chosenTitle}</strong>
          </Fact>
        )}
        <Fact name="Severity">
          <SeverityGlyph severity={severity} withWord />
        </Fact>
        <Fact name="Status">
          <span aria-live="polite">
            <StatusGlyph status={heldTo ?? incident.status} />
            {investigator && !heldTo && <span className="ml-2 text-text">{investigator} is on it</span>}
          </span>
        </Fact>
        <Fact name="Project">
          <Link
            to="/projects/$projectId"
            params={{ projectId: incident.projectId }}
            className="hover:underline"
          >
            {project ? describeProject(project) : 'Project'}
          </Link>
        </Fact>
        {events && <Fact name="Events">{events}</Fact>}
        <Fact name="Opened">
          opened <RelativeTime at={createdAt} />
        </Fact>
        {resolvedAt && (
          <Fact name="Resolved">
            resolved <RelativeTime at={resolvedAt} /> after{' '}
            {formatDuration(Date.parse(resolvedAt) - Date.parse(createdAt))}
          </Fact>
        )}
        {previousIncidentId && (
          <Fact name="Before">
            <Link
              to="/incidents/$incidentId"
              params={{ incidentId: previousIncidentId }}
              className="text-accent hover:underline"
            >
              Previous incident
            </Link>
          </Fact>
        )}
        {evidence && (
          <Fact name="Settings">
            <Link
              to="/projects/$projectId/alarms"
              params={{ projectId: incident.projectId }}
              className="text-accent hover:underline"
            >
              Alert settings
            </Link>
          </Fact>
        )}
      </dl>
      <StateButtons incident={incident}>
        <UndoResolution incident={incident} />
        <Button variant="ghost" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <ShareIncident incident={incident} project={project ? describeProject(project) : null} />
      </StateButtons>
      {editing && <EditIncident incident={incident} onClose={() => setEditing(false)} />}
    </header>
  );
}
