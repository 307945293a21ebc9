/* `public/first-paint.js` applies the same choice before anything is drawn. */
const STORAGE_KEY = 'tocsin.theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();

export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((known) => known === theme) ?? 'system';
}

/** Switches the theme of all pages of this browser. */
export function switchTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage is refused: the theme lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` when the colours change: by the user's choice, or with the system. */
export function onThemeChange(listener: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    scheme.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}
