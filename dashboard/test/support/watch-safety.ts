import { expect } from 'vitest';
import { type TestService, type TestUser, type Visit, visit } from './browser.ts';
import type { ContextOptions } from './contexts.ts';

/** The name of the function that the tests' vectors call. */
const MARKER = 'reportExecution';

export interface WatchedVisit extends Visit {
  /** Forbidden things that have happened since the last start. */
  found: string[];
  /** Forgets what was found before. */
  start: () => void;
  /** Asserts that nothing was found, once the page has reported everything. */
  end: () => Promise<void>;
}

/** Opens a page for all tests of a file, one after the other, or for one test, with or without a logged-in user. */
export async function watchedVisit(
  service: TestService,
  user: TestUser | null,
  options?: ContextOptions,
): Promise<WatchedVisit> {
  const visited = await visit(service, user, { reducedMotion: 'reduce', ...options });
  const found = await watchSafety(visited, service.managementUrl);
  const { faults } = visited;
  const start = () => {
    found.length = 0;
    faults.length = 0;
  };
  const end = async () => {
    await visited.page.evaluate(() => null);
    expect([...new Set([...found, ...faults])]).toEqual([]);
  };
  return { ...visited, found, start, end };
}

/**
 * Watches the page of a visit, from its next load on, for forbidden things: code that runs, elements created
 * from a text, violations of the policy, requests to other hosts.
 * @returns forbidden things that have happened so far
 */
async function watchSafety({ context, page }: Visit, origin: string): Promise<string[]> {
  const found: string[] = [];
  await context.exposeBinding(MARKER, (_source, what) => void found.push(`executed: ${String(what)}`));
  await context.exposeBinding('reportFinding', (_source, what) => void found.push(String(what)));
  await context.addInitScript(watchPage);
  const { host } = new URL(origin);
  const check = (address: string) => {
    const url = new URL(address);
    if (url.host !== host && url.protocol !== 'data:') found.push(`request to another host: ${address}`);
  };
  context.on('request', (request) => check(request.url()));
  context.on('page', (opened) => found.push(`another page: ${opened.url()}`));
  page.on('websocket', (socket) => check(socket.url()));
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return found;
}

/** Runs in the page, before everything else. */
function watchPage(): void {
  const { reportFinding: report } = window as unknown as { reportFinding: (what: string) => void };
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const) {
    window[name] = (() => report(`executed: ${name}`)) as never;
  }
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    report(`refused by the policy: ${violatedDirective} ${blockedURI} ${sample}`),
  );
  const FORBIDDEN =
    'iframe, frame, frameset, object, embed, base, style, template, image, video, audio, marquee, portal, math, meta[http-equiv], foreignObject, animate, set, isindex, xss, [srcdoc]';
  /** The drawings of empty states: every other part of another document is foreign. */
  const DRAWING = /^\/app\/assets\/drawings-[\w-]+\.svg#[a-z]+$/;
  const ADDRESSES = new Set([
    'href',
    'xlink:href',
    'src',
    'action',
    'formaction',
    'data',
    'poster',
    'background',
  ]);

  const check = (element: Element) => {
    const add = (what: string) => report(`${what}: ${element.outerHTML.slice(0, 150)}`);
    if (element.matches(FORBIDDEN)) add('unexpected element');
    if (element.matches('use') && !DRAWING.test(element.getAttribute('href') ?? ''))
      add('unexpected element');
    if (element.matches('script, link, img')) {
      const source = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
      // Resolved as a browser would: the bare address says little.
      const isOwn = new URL(source, location.href).href.startsWith(`${location.origin}/app/`);
      if (!(source && isOwn)) add('unexpected element');
    }
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) add('unexpected handler');
      if (ADDRESSES.has(name) && new URL(value, location.href).origin !== location.origin)
        add('leads elsewhere');
    }
  };
  new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations) {
      if (type === 'attributes') check(target as Element);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        check(node);
        for (const inner of node.querySelectorAll('*')) check(inner);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
}
