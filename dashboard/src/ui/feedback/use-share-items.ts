import { useShortcuts } from '../../lib/shortcuts.ts';
import type { MenuItem } from '../controls/menu-props.ts';
import { texts } from '../texts.ts';
import { showToast } from './toasts.tsx';

const words = texts.share;

interface SharedPage {
  /** Returns the address of the page. */
  link: () => string;
  /** Returns the subject of the page as text. */
  markdown: () => string | Promise<string>;
}

/** Returns the actions that copy the subject of a page for others: its address, also by the key `y`, or all of it as text. */
export function useShareItems({ link, markdown }: SharedPage): MenuItem[] {
  const copyLink = () => void copy(link(), words.copied);
  useShortcuts([{ keys: 'y', label: words.copyLink, run: copyLink }]);
  return [
    { label: words.copyLink, hint: 'y', onSelect: copyLink },
    { label: words.copyMarkdown, onSelect: () => void copy(markdown(), words.copiedMarkdown) },
  ];
}

async function copy(text: string | Promise<string>, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    showToast(done);
  } catch {
    // Fails without https, or if the browser's settings forbid it.
    showToast(words.refused);
  }
}
