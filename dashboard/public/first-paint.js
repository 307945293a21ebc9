/*
 * Before the first paint: the theme that was chosen here, the frame's outline where there will be one, and an early
 * request for the code of the page that the address names. It loads before everything else, so it is small.
 */
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem('tocsin.theme');
    if (localStorage.getItem('tocsin.navigation') === 'narrow') root.dataset.rail = 'narrow';
  } catch {
    // Storage is refused: the theme is the system's.
  }
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const path = location.pathname.replace(/^\/app/, '').replace(/\/$/, '') || '/';
  if (path === '/login' || path === '/signup') root.dataset.outline = 'none';
  const pages = JSON.parse(document.currentScript?.dataset.pages || '[]');
  const page = pages.find(([pattern]) => new RegExp(pattern).test(path));
  for (const href of page ? page[1] : []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    link.crossOrigin = '';
    document.head.append(link);
  }
})();
