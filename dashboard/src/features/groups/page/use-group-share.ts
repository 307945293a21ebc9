import type { Group } from '../../../lib/api-types.ts';
import type { MenuItem } from '../../../ui/controls/menu-props.ts';
import { useShareItems } from '../../../ui/feedback/use-share-items.ts';
import { toMarkdown } from './group-markdown.ts';

/** Returns the actions that copy a group for others: its address by its key, or a description as text. */
export function useGroupShare(group: Group, project: string | null): MenuItem[] {
  const url = `${location.origin}${import.meta.env.BASE_URL}groups/${encodeURIComponent(group.key)}`;
  return useShareItems({ link: () => url, markdown: () => toMarkdown(group, { url, project }) });
}
