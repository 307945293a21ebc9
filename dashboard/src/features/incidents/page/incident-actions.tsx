import { useQuery } from '@tanstack/react-query';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { useNarrow } from '../../../lib/use-narrow.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { MoreMenu } from '../../../ui/controls/more-menu.tsx';
import { useShareItems } from '../../../ui/feedback/use-share-items.ts';
import { SilenceSlot, useSilenceDialog } from '../../../ui/silences/silence-slot.tsx';
import { texts as shared } from '../../../ui/texts.ts';
import { StateButtons } from '../change/state-buttons.tsx';
import { UndoResolution } from '../change/undo-resolution.tsx';
import { incidentGroupsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

interface IncidentActionsProps {
  incident: IncidentDetail;
  /** Name of the project; null: not known. */
  project: string | null;
  /** Name of the person who has it. */
  investigator: string | null;
  /** Id of its scheduled job; null: it has none, or the job was deleted. */
  scheduleId: string | null;
  onEdit: () => void;
}

/** Two buttons for the status, one that silences, and the rest behind “⋯”; on phones silencing is there, too. */
export function IncidentActions({
  incident,
  project,
  investigator,
  scheduleId,
  onEdit,
}: IncidentActionsProps) {
  const { id, projectId, evidence } = incident;
  const { data: groups } = useQuery(incidentGroupsQuery(id));
  const isNarrow = useNarrow();
  const url = `${location.origin}${location.pathname}`;
  const share = useShareItems({
    link: () => url,
    markdown: async () => {
      const { toMarkdown } = await import('./incident-markdown.ts');
      return toMarkdown(incident, { url, project, investigator, group: groups?.[0] });
    },
  });
  const silence = useSilenceDialog();
  const label = scheduleId === null ? shared.silence : texts.schedule.silence;
  return (
    <StateButtons incident={incident}>
      <UndoResolution incident={incident} />
      <Button aria-keyshortcuts="s" className="max-sm:hidden" onClick={silence}>
        {label} <Key>s</Key>
      </Button>
      <MoreMenu
        groups={[
          {
            items: [
              ...(isNarrow ? [{ label, onSelect: silence }] : []),
              { label: texts.head.edit, hint: 'e', onSelect: onEdit },
              ...share,
            ],
          },
        ]}
      />
      {/* Active silences, in a line of their own. */}
      <SilenceSlot
        id={id}
        projectId={projectId}
        type={evidence?.series.type ?? null}
        source={evidence?.series.source ?? null}
        groupKey={null}
        scheduleId={scheduleId}
      />
    </StateButtons>
  );
}
