import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
import { useNarrow } from '../../../lib/use-narrow.ts';
import { MoreMenu } from '../../../ui/controls/more-menu.tsx';
import { useShareItems } from '../../../ui/feedback/use-share-items.ts';
import { SilenceSlot } from '../../../ui/silences/silence-slot.tsx';
import { StateButtons } from '../change/state-buttons.tsx';
import { UndoResolution } from '../change/undo-resolution.tsx';
import { incidentGroupsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

interface IncidentActionsProps {
  incident: IncidentDetail;
  /** Name of the project; null: not known. */
  project: string | null;
  onEdit: () => void;
}

/** Two buttons for the status, one that silences, and the rest behind “⋯”; on phones silencing is there, too. */
export function IncidentActions({ incident, project, onEdit }: IncidentActionsProps) {
  const { id, projectId, evidence, status, investigatorId } = incident;
  const { data: groups } = useQuery(incidentGroupsQuery(id));
  const investigator = useMemberName(status === 'investigating' ? investigatorId : null);
  const isNarrow = useNarrow();
  const silences = useRef<HTMLSpanElement>(null);
  const url = `${location.origin}${location.pathname}`;
  const share = useShareItems({
    link: () => url,
    markdown: async () => {
      const { toMarkdown } = await import('./incident-markdown.ts');
      return toMarkdown(incident, { url, project, investigator, group: groups?.[0] });
    },
  });
  const silence = {
    label: texts.head.silence,
    onSelect: () => silences.current?.querySelector('button')?.click(),
  };
  return (
    <StateButtons incident={incident}>
      <UndoResolution incident={incident} />
      {/* Active silences are listed among them. */}
      <span ref={silences} className="contents max-sm:[&>button]:hidden">
        <SilenceSlot
          id={id}
          projectId={projectId}
          type={evidence?.series.type ?? null}
          source={evidence?.series.source ?? null}
          groupKey={null}
          scheduleId={incident.scheduleId}
        />
      </span>
      <MoreMenu
        groups={[
          {
            items: [
              ...(isNarrow ? [silence] : []),
              { label: texts.head.edit, hint: 'e', onSelect: onEdit },
              ...share,
            ],
          },
        ]}
      />
    </StateButtons>
  );
}
