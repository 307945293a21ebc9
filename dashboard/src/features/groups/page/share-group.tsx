import type { Group } from '../../../lib/api-types.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { texts } from '../texts.ts';
import { toMarkdown } from './group-markdown.ts';

/** Copies the group for others: its address, or what it is as text. */
export function ShareGroup({ group, project }: { group: Group; project: string | null }) {
  const url = `${location.origin}${location.pathname}`;
  useShortcuts([
    {
      keys: 'y',
      says: texts.page.copyLink,
      run: () =>
        void navigator.clipboard.writeText(url).then(
          () => showToast(texts.page.linkCopied),
          () => showToast(texts.page.clipboardRefused),
        ),
    },
  ]);
  return (
    <>
      <CopyButton label={texts.page.copyLink} text={() => url} />
      <CopyButton label={texts.page.copyMarkdown} text={() => toMarkdown(group, { url, project })} />
    </>
  );
}
