import type { Page } from 'playwright-core';

/**
 * Finds texts that are unreadable at the window's present width: cut by a box without a sign of it, shortened with an
 * ellipsis to a few letters, cut in a select, or lying over another text. What scrolls, floats, or is for assistive
 * technology alone is left out. Charts are drawn again once their size is observed, which two frames are waited for.
 */
export function findCutText(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    /** Tolerance, more than half a pixel of rounding on both sides. */
    const TOLERANCE_PX = 2;
    /** Minimum width of a shortened text: about six letters. */
    const MIN_SHORTENED_PX = 40;
    const found: string[] = [];
    const rows: { text: string; lines: DOMRect[]; element: Element; layer: Element | null }[] = [];

    const isHidden = (element: Element): boolean =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('noscript, svg, [aria-busy="true"], option') !== null;
    const layerOf = (element: Element): Element | null => {
      for (let one: Element | null = element; one; one = one.parentElement)
        if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(one).position)) return one;
      return null;
    };
    const scrollerOf = (element: Element): Element | null => {
      for (let one: Element | null = element; one; one = one.parentElement)
        if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
      return null;
    };
    const inspect = (node: Text): void => {
      const text = node.data.trim();
      const element = node.parentElement;
      if (text === '' || !element || isHidden(element)) return;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0 || box.right <= 0) return;
      let shown = box;
      let scrolls = false;
      for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
        const style = getComputedStyle(one);
        const { overflowX, overflowY, textOverflow } = style;
        if (style.display === 'inline') continue;
        const own = one.getBoundingClientRect();
        // Only for assistive technology.
        if (own.width <= 1 || own.height <= 1) return;
        if ([overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) scrolls = true;
        if (scrolls || (overflowX === 'visible' && overflowY === 'visible')) continue;
        if (textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') {
          const isShortened = one.scrollWidth > one.clientWidth + TOLERANCE_PX;
          if (isShortened && one.clientWidth < MIN_SHORTENED_PX)
            found.push(`to a few letters: “${(one.textContent ?? '').slice(0, 60)}”`);
          const scroller = scrollerOf(one)?.getBoundingClientRect() ?? own;
          const right = Math.min(box.right, own.right);
          const bottom = Math.min(box.bottom, own.bottom, scroller.bottom);
          if (bottom <= scroller.top) return;
          // Behind the ellipsis, or scrolled out of sight.
          if (right <= box.left || bottom <= box.top) return;
          shown = new DOMRect(box.left, box.top, right - box.left, bottom - box.top);
          break;
        }
        const isCut =
          box.left < own.left - TOLERANCE_PX ||
          box.right > own.right + TOLERANCE_PX ||
          box.top < own.top - TOLERANCE_PX ||
          box.bottom > own.bottom + TOLERANCE_PX;
        if (isCut) found.push(`cut: “${text.slice(0, 60)}”`);
      }
      if (scrolls) return;
      const lines = [...range.getClientRects()].filter(
        ({ left, top }) => left < shown.right && top < shown.bottom,
      );
      const cut = lines.map(
        ({ left, top, right, bottom }) =>
          new DOMRect(left, top, Math.min(right, shown.right) - left, Math.min(bottom, shown.bottom) - top),
      );
      rows.push({ text, lines: cut, element, layer: layerOf(element) });
    };
    const walker = document.createTreeWalker(
      document.querySelector('dialog:modal') ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    while (walker.nextNode()) inspect(walker.currentNode as Text);

    for (const [index, one] of rows.entries()) {
      for (const other of rows.slice(index + 1)) {
        if (one.layer !== other.layer || one.element === other.element) continue;
        const isOver = one.lines.some((line) =>
          other.lines.some((second) => {
            const width = Math.min(line.right, second.right) - Math.max(line.left, second.left);
            const height = Math.min(line.bottom, second.bottom) - Math.max(line.top, second.top);
            // Boxes of lines are higher than their letters.
            return width > TOLERANCE_PX && height > line.height / 3;
          }),
        );
        if (isOver)
          found.push(`over each other: “${one.text.slice(0, 40)}” and “${other.text.slice(0, 40)}”`);
      }
    }

    const pen = document.createElement('canvas').getContext('2d');
    for (const select of document.querySelectorAll('select')) {
      if (!pen || isHidden(select)) continue;
      const style = getComputedStyle(select);
      pen.font = style.font;
      const text = select.selectedOptions[0]?.text ?? '';
      /** The arrow of the system's select. */
      const room =
        select.clientWidth -
        Number.parseFloat(style.paddingLeft) -
        Number.parseFloat(style.paddingRight) -
        16;
      if (Math.min(pen.measureText(text).width, 6 * 16) > room + TOLERANCE_PX)
        found.push(`in a select: “${text}”`);
    }
    return [...new Set(found)];
  });
}
