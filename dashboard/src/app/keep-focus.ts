/** A dialog that closes returns the focus by itself, within some frames. */
const RETURN_MS = 50;

/** Element that had the focus last, and what it is in, innermost first. */
let path: EventTarget[] = [];
/** Row that takes the place of the one that it was in. */
let nextRow: Element | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps the focus near its place if the element that has it is removed or disabled: a row that was deleted, where the next one has a
 * link that gets it, a page that was left by a link, a button that has done its work. A browser leaves the focus to the body, and screen readers begin
 * at the top.
 * @param focused element that got the focus, and what it is in, innermost first
 */
export function keepFocus(focused: EventTarget[]): void {
  path = focused;
  nextRow = null;
  watch();
}

new MutationObserver((changes) => {
  for (const { removedNodes, nextSibling, previousSibling } of changes)
    for (const removed of removedNodes)
      if (path.includes(removed) && removed instanceof HTMLLIElement)
        nextRow = [nextSibling, previousSibling].find((node) => node instanceof HTMLLIElement) ?? null;
  watch();
}).observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ['disabled'],
});

function watch(): void {
  const [last] = path;
  const isGone = last instanceof Element && (!last.isConnected || last.matches(':disabled'));
  if (timer === undefined && isGone) timer = setTimeout(restore, RETURN_MS);
}

function restore(): void {
  timer = undefined;
  if (document.activeElement !== document.body) return;
  // A layer above a page goes with all its elements.
  for (const element of [nextRow?.querySelector('a'), ...path, document.getElementById('content')]) {
    if (!(element instanceof HTMLElement) || element === document.body) continue;
    // The frame of a page has a box only until the page is drawn.
    if (element.dataset.settled !== undefined) continue;
    if (document.body.contains(element) && tryFocus(element)) return;
  }
}

/** Gives an element the focus, a container only until it loses it: Tab does not stop there. @returns true if it has the focus */
function tryFocus(element: HTMLElement): boolean {
  const isOwn = element.hasAttribute('tabindex');
  const give = () => {
    element.focus({ preventScroll: true });
    return document.activeElement === element;
  };
  if (isOwn) return give();
  element.tabIndex = -1;
  const restoreIndex = () => element.removeAttribute('tabindex');
  element.addEventListener('blur', restoreIndex, { once: true });
  if (give()) return true;
  restoreIndex();
  return false;
}
