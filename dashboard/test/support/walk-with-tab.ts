import type { CDPSession, Page } from 'playwright-core';

/** Additional presses: a field for a time has a stop for each of its parts. */
const MORE_PRESSES = 20;

interface TabWalk {
  /** Controls that Tab reached, in order, with their look while focused. */
  stops: { html: string; isOutlined: boolean; isVisible: boolean }[];
  /** Controls that Tab did not reach. */
  missed: string[];
}

/**
 * Presses Tab until the focus comes round. The page itself records where the focus is after each press: the keys are sent
 * together, and none waits for an answer.
 * @returns the controls that Tab did not reach, or reached without an outline or out of sight
 */
export async function findUnreached(page: Page, session: CDPSession): Promise<string[]> {
  const controls = await page.evaluate(recordFocus);
  await pressTab(session, controls + 1);
  let walk = await page.evaluate(readFocus);
  if (walk.missed.length > 0) {
    await pressTab(session, MORE_PRESSES);
    walk = await page.evaluate(readFocus);
  }
  const { stops, missed } = walk;
  return [
    ...(stops.length === 0 ? ['Tab reaches nothing'] : []),
    ...missed.map((html) => `Tab does not reach ${html}`),
    ...stops.filter(({ isOutlined }) => !isOutlined).map(({ html }) => `without an outline: ${html}`),
    ...stops.filter(({ isVisible }) => !isVisible).map(({ html }) => `out of sight: ${html}`),
  ];
}

async function pressTab(session: CDPSession, times: number): Promise<void> {
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const sent: Promise<unknown>[] = [];
  for (let count = 0; count < times; count++) {
    sent.push(session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }));
    sent.push(session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }));
  }
  await Promise.all(sent);
}

interface Recording {
  toReach: Set<Element>;
  stops: Map<Element, TabWalk['stops'][number]>;
}

/** Collects the controls that Tab should reach, and records its stops from now on; an open dialog traps the focus. */
function recordFocus(): number {
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const within = document.querySelector('dialog:modal') ?? document;
  const toReach = new Set<Element>();
  for (const element of within.querySelectorAll(controls)) {
    const isOff = element.matches(':disabled, [tabindex="-1"], [type="radio"]:not(:checked)');
    if (isOff || !element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert]'))
      continue;
    toReach.add(element);
  }
  const stops: Recording['stops'] = new Map();
  const record = () => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body || stops.has(element)) return;
    toReach.delete(element);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height, right, bottom } = element.getBoundingClientRect();
    stops.set(element, {
      html: element.outerHTML.slice(0, 200),
      isOutlined: outlineStyle !== 'none' && outlineWidth !== '0px',
      isVisible: width > 4 && height > 4 && right > 0 && bottom > 0,
    });
  };
  addEventListener('keyup', record, { capture: true });
  Object.assign(window, { tabWalk: { toReach, stops } satisfies Recording });
  return toReach.size;
}

function readFocus(): TabWalk {
  const { toReach, stops } = (window as unknown as { tabWalk: Recording }).tabWalk;
  return {
    stops: [...stops.values()],
    missed: [...toReach]
      .filter((element) => element.isConnected)
      .map((element) => element.outerHTML.slice(0, 200)),
  };
}
