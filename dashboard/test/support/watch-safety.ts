import type { BrowserContext } from 'playwright-core';

/** The name of the function that the tests' vectors call. */
const MARKER = 'reportExecution';

/**
 * Watches all pages of a context for what must not happen: code that runs, elements that are made of a text,
 * refusals of the policy, requests to other hosts.
 * @returns what happened so far
 */
export async function watchSafety(context: BrowserContext, origin: string): Promise<string[]> {
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
  context.on('page', (page) => {
    page.on('websocket', (socket) => check(socket.url()));
    page.on('dialog', (dialog) => {
      found.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
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
    'iframe, frame, frameset, object, embed, base, style, template, image, video, audio, marquee, portal, math, meta[http-equiv], foreignObject, animate, set, use, isindex, xss, [srcdoc]';
  const ADDRESSES = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'poster', 'background'];

  const check = (element: Element) => {
    const tag = element.outerHTML.slice(0, 150);
    if (element.matches(FORBIDDEN)) report(`unexpected element: ${tag}`);
    const source = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
    // Where a browser would go: an address alone says little.
    const isOwn = new URL(source, location.href).href.startsWith(`${location.origin}/app/`);
    if (element.matches('script, link, img') && !(source && isOwn)) report(`unexpected element: ${tag}`);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) report(`unexpected handler: ${tag}`);
      if (ADDRESSES.includes(name) && new URL(value, location.href).origin !== location.origin) {
        report(`leads elsewhere: ${tag}`);
      }
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
