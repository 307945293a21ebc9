import type { IncidentDetail } from '../../../lib/api-types.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { toMarkdown } from './incident-markdown.ts';

/** Copies the incident for others: its address, or all of it as text. */
export function ShareIncident({ incident, project }: { incident: IncidentDetail; project: string | null }) {
  const url = `${location.origin}${location.pathname}`;
  useShortcuts([
    {
      keys: 'y',
      says: 'Copy the link',
      run: () =>
        void navigator.clipboard.writeText(url).then(
          () => showToast('Link copied'),
          () => showToast('The browser refused access to the clipboard.'),
        ),
    },
  ]);
  return (
    <>
      <CopyButton label="Copy link" text={() => url} />
      <CopyButton label="Copy as Markdown" text={() => toMarkdown(incident, { url, project })} />
    </>
  );
}
