import { useState } from 'react';
import { queryClient, sessionQuery } from './queries.ts';

/**
 * Keeps a text that is being written, for this tab and its user, until it is sent: it survives other pages, a reload and
 * a logout. In a browser without storage it lives as long as the component.
 * @param key subject of the text, such as `note inc_…`
 * @returns the text and how to change it; an empty text removes it
 */
export function useDraft(key: string): [string, (change: (text: string) => string) => void] {
  const [text, setText] = useState(() => read(key));
  const change = (next: (text: string) => string) =>
    setText((before) => {
      const after = next(before);
      write(key, after);
      return after;
    });
  return [text, change];
}

const PREFIX = 'tocsin draft ';

/** Returns the prefix of the storage keys of a user's drafts. */
const prefixOf = (userId: string | undefined) => `${PREFIX}${userId ?? ''} `;
const ownPrefix = () => prefixOf(queryClient.getQueryData(sessionQuery.queryKey)?.user.id);

function read(key: string): string {
  try {
    return sessionStorage.getItem(ownPrefix() + key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(ownPrefix() + key);
    else sessionStorage.setItem(ownPrefix() + key, text);
  } catch {
    // Storage is refused or full: the text stays on the page.
  }
}

/** Forgets the drafts of all other users of this tab, as when one logs in. */
export function forgetDraftsOfOthers(userId: string): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX) && !key.startsWith(prefixOf(userId))) sessionStorage.removeItem(key);
  } catch {
    // Nothing is stored where storage is refused.
  }
}
