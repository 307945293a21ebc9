import { useQuery } from '@tanstack/react-query';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { useMemberName } from '../../../lib/members/member-names.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { texts } from '../../../ui/texts.ts';
import { incidentGroupsQuery } from '../queries.ts';
import { toMarkdown } from './incident-markdown.ts';

/** Copies the incident for others: its address, or all of it as text. */
export function ShareIncident({ incident, project }: { incident: IncidentDetail; project: string | null }) {
  const { data: groups } = useQuery(incidentGroupsQuery(incident.id));
  const investigator = useMemberName(incident.status === 'investigating' ? incident.investigatorId : null);
  const url = `${location.origin}${location.pathname}`;
  useShortcuts([
    {
      keys: 'y',
      label: texts.share.copyLink,
      run: () =>
        void navigator.clipboard.writeText(url).then(
          () => showToast(texts.share.copied),
          () => showToast(texts.share.refused),
        ),
    },
  ]);
  return (
    <>
      <CopyButton label={texts.share.copyLink} text={() => url} />
      <CopyButton
        label={texts.share.copyMarkdown}
        text={() => toMarkdown(incident, { url, project, investigator, group: groups?.[0] })}
      />
    </>
  );
}
