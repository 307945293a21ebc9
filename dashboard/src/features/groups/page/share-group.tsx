import { useQuery } from '@tanstack/react-query';
import { projectsOfKey } from '../../../../../server/src/groups/group-key.ts';
import type { Group, ProjectRecord } from '../../../lib/api-types.ts';
import { projectsQuery, queryClient } from '../../../lib/queries.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { texts } from '../../../ui/texts.ts';
import { toMarkdown } from './group-markdown.ts';

/** Copies the group for others: its address (by its key if that is unambiguous), or a description as text. */
export function ShareGroup({ group, project }: { group: Group; project: string | null }) {
  const { data: projects } = useQuery(projectsQuery);
  const url = addressOf(group, projects);
  useShortcuts([
    {
      keys: 'y',
      label: texts.share.copyLink,
      run: () =>
        void queryClient
          .ensureQueryData(projectsQuery)
          .then((known) => navigator.clipboard.writeText(addressOf(group, known)))
          .then(
            () => showToast(texts.share.copied),
            () => showToast(texts.share.refused),
          ),
    },
  ]);
  return (
    <>
      <CopyButton label={texts.share.copyLink} text={() => url} />
      <CopyButton label={texts.share.copyMarkdown} text={() => toMarkdown(group, { url, project })} />
    </>
  );
}

/** @param projects undefined until they are known */
function addressOf(group: Group, projects: ProjectRecord[] | undefined): string {
  // A key of two projects leads to a choice, not to the group.
  const isOnly = projects && projectsOfKey(projects, group.key).length === 1;
  const name = encodeURIComponent(isOnly ? group.key : group.id);
  return `${location.origin}${import.meta.env.BASE_URL}groups/${name}`;
}
