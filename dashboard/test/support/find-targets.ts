import type { Page } from 'playwright-core';

/** Minimum width and height of what can be pressed: target size (minimum) of WCAG 2.2. */
const MIN_SIDE_PX = 24;

/** Finds controls that are too small to press: all but links within a sentence. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((minPx) => {
    const modal = document.querySelector('dialog:modal');
    const controls = (modal ?? document).querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=menuitem], [role=option], [role=combobox], [role=tab]',
    );
    /** Returns true for a link with other words around it in its line. */
    const isInSentence = (element: HTMLElement) => {
      if (getComputedStyle(element).display !== 'inline') return false;
      let block = element.parentElement;
      while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
      const text = block?.textContent.trim() ?? '';
      return /\p{L}{2,}/u.test(text.replace(element.textContent.trim(), ''));
    };
    const isUsable = (element: HTMLElement) => {
      const { width, height } = element.getBoundingClientRect();
      return (
        width > 1 &&
        height > 1 &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.matches(':disabled') &&
        !element.closest('[inert], [aria-hidden=true]') &&
        getComputedStyle(element).pointerEvents !== 'none'
      );
    };
    return [...controls].filter(isUsable).flatMap((element) => {
      // A label is pressed for its box, and a row for the link that covers it.
      const isBox = element.matches('[type=checkbox], [type=radio]');
      const coversRow = getComputedStyle(element, '::after').position === 'absolute';
      const pressed = (isBox ? element.closest('label') : coversRow && element.offsetParent) || element;
      const { width, height } = pressed.getBoundingClientRect();
      if (Math.min(width, height) > minPx - 0.5 || isInSentence(element)) return [];
      return [`too small: ${width.toFixed(1)} × ${height.toFixed(1)} ${element.outerHTML.slice(0, 200)}`];
    });
  }, MIN_SIDE_PX);
}

/** Finds rows with more than one boxed button, and pages and dialogs with more than one filled button. */
export function findCrowds(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const modal = document.querySelector('dialog:modal');
    const root = modal ?? document.querySelector('main') ?? document.body;
    const buttons = [...root.querySelectorAll<HTMLElement>('button, a[href]')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    );
    const isOpaque = (colour: string) => !/, 0\)|transparent|\/ 0\)/.test(colour);
    const accent = getComputedStyle(document.body).getPropertyValue('--accent');
    const probe = document.createElement('i');
    probe.style.color = accent;
    root.append(probe);
    const filled = buttons.filter(
      (button) => getComputedStyle(button).backgroundColor === getComputedStyle(probe).color,
    );
    probe.remove();
    const isBoxed = (button: HTMLElement) => {
      const { borderTopWidth, borderTopColor, borderBottomWidth } = getComputedStyle(button);
      return parseFloat(borderTopWidth) > 0 && parseFloat(borderBottomWidth) > 0 && isOpaque(borderTopColor);
    };
    // The dialogs of a row are in it.
    const rowOf = (button: HTMLElement) => {
      const row = button.closest('li, tr, dialog');
      return row instanceof HTMLDialogElement ? null : row;
    };
    const boxed = buttons.filter((button) => !button.matches('[role=combobox]') && isBoxed(button));
    const rows = new Set(boxed.flatMap((button) => rowOf(button) ?? []));
    const describe = (found: HTMLElement[]) => found.map(({ textContent }) => textContent).join(' | ');
    return [
      ...(filled.length > 1 ? [`filled buttons: ${describe(filled)}`] : []),
      ...[...rows].flatMap((row) => {
        const found = boxed.filter((button) => rowOf(button) === row);
        return found.length > 1 ? [`boxed buttons in a row: ${describe(found)}`] : [];
      }),
    ];
  });
}
