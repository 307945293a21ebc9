import { useState } from 'react';

/**
 * A text that is being written, kept for this tab until it is sent: it outlives another page, a reload and a
 * session that ends. Where the browser stores nothing it lives as long as the component.
 * @param key names the subject of the text, such as `note inc_…`
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

function read(key: string): string {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Storage is refused or full: the text stays on the page.
  }
}

/** Forgets every draft, as at a logout: the next user of this tab must not find them. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing is stored where storage is refused.
  }
}
