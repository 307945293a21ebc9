/** A dialog that closes returns the focus by itself, within some frames. */
const RETURN_MS = 50;

/**
 * Keeps the focus near its place if the element that has it is removed or disabled: a row that was deleted, a page that was left
 * by a link, a button that has done its work. A browser leaves the focus to the body, and screen readers begin at the top.
 */
export function keepFocus(): void {
  /** Element that had the focus last, and what it is in, innermost first. */
  let path: Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? ancestorsOf(target) : [];
  });
  const restore = () => {
    timer = undefined;
    if (document.activeElement !== document.body) return;
    for (const element of path) {
      if (!(element instanceof HTMLElement) || !element.isConnected) continue;
      // Only while it has the focus: a container is no stop of Tab.
      const isOwn = element.hasAttribute('tabindex');
      if (!isOwn) {
        element.tabIndex = -1;
        element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
      }
      element.focus({ preventScroll: true });
      if (document.activeElement === element) return;
      if (!isOwn) element.removeAttribute('tabindex');
    }
  };
  const isGone = ([last]: Element[]) => last && (!last.isConnected || last.matches(':disabled'));
  new MutationObserver(() => {
    if (timer === undefined && isGone(path)) timer = setTimeout(restore, RETURN_MS);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

function ancestorsOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement)
    path.push(one);
  return path;
}
