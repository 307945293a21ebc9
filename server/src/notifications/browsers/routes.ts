import { Type } from 'typebox';
import { routesOf } from '../../http/route.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { originOf } from '../../tenancy/accounts/sessions.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { toPush } from '../channels/webpush/payload.ts';
import type { PushToBrowser } from '../channels/webpush/push-to-browsers.ts';
import { listBrowsersOf } from '../channels/webpush/queries.ts';
import { findOrCreateVapidKeys } from '../channels/webpush/vapid-keys.ts';
import type { Links } from '../messages/links.ts';
import { testMessage } from '../messages/subject-messages.ts';
import { TestResult } from '../targets/schema.ts';
import type { TestLimits } from '../targets/test-limits.ts';
import {
  addBrowser,
  type BrowserStore,
  removeBrowser,
  requireBrowser,
  resumeBrowser,
} from './change-browsers.ts';
import { Browser, BrowserId, EndpointBody, PushKey, SubscriptionBody, toBrowser } from './schema.ts';

interface BrowserDependencies extends BrowserStore {
  links: Links;
  pushToBrowser: PushToBrowser;
  testLimits: TestLimits;
}

/** Browsers in which a user is notified; each user sees only their own. */
const route = routesOf<BrowserDependencies>('Notifications');

export const browserRoutes = [
  route.get('/web-push/key', {
    summary: 'The public key that browsers subscribe with',
    description: 'The VAPID key of this installation, as `applicationServerKey` of `pushManager.subscribe`.',
    answer: PushKey,
    handle: async (_request, { pool, clock, encryption }) => {
      const { publicKey } = await findOrCreateVapidKeys(pool, encryption, new Date(clock.now()));
      return { publicKey };
    },
  }),

  route.get('/web-push/browsers', {
    summary: 'List the browsers in which you are notified',
    description: 'Newest first.',
    answer: Type.Array(Browser),
    handle: async (request, { pool }) =>
      (await listBrowsersOf(pool, sessionOf(request).user.id)).map(toBrowser),
  }),

  route.post('/web-push/browsers', {
    summary: 'Be notified in this browser',
    description:
      'The browser receives what routes to a target of kind `webpush` send. A logout ends it, the next login resumes it. A repeated request changes the keys.',
    body: SubscriptionBody,
    answer: Browser,
    status: 201,
    handle: async (request, dependencies) => {
      const { userAgent } = originOf(request);
      const browser = { subscription: request.body, userAgent };
      return toBrowser(await addBrowser(dependencies, sessionOf(request), browser));
    },
  }),

  route.post('/web-push/browsers/resume', {
    summary: 'Go on being notified in a browser after a login there',
    description: '404 where you have not switched it on, or have removed it: the browser should unsubscribe.',
    body: EndpointBody,
    answer: Browser,
    handle: async (request, dependencies) =>
      toBrowser(await resumeBrowser(dependencies, sessionOf(request), request.body.endpoint)),
  }),

  route.delete('/web-push/browsers/:id', {
    summary: 'Turn notifications off in a browser',
    description: 'For your own browsers; others are answered 404.',
    params: BrowserId,
    handle: async (request, dependencies) => {
      await removeBrowser(dependencies, sessionOf(request), request.params.id);
    },
  }),

  route.post('/web-push/browsers/:id/test', {
    summary: 'Send a test message to one of your browsers',
    description:
      'Sends by the code of every message; the answer is that of the push service. 5 a minute of a browser; 20 an hour and 4 at a time of the organization.',
    params: BrowserId,
    answer: TestResult,
    handle: async (request, { pool, clock, links, pushToBrowser, testLimits }) => {
      const session = sessionOf(request);
      const browser = await requireBrowser(pool, session, request.params.id);
      const nowMs = clock.now();
      const deliveryId = toId('dlv', newUuid(nowMs));
      const message = testMessage('Browsers', { deliveryId, links, at: new Date(nowMs) });
      const startedAt = performance.now();
      const { organizationId } = session;
      const pushed = await testLimits.run(organizationId, browser.id, () =>
        pushToBrowser(browser, toPush(message), organizationId),
      );
      return {
        ok: pushed.kind === 'accepted',
        status: pushed.status,
        body: '',
        reason: pushed.kind === 'accepted' ? null : pushed.reason,
        elapsedMs: Math.round(performance.now() - startedAt),
      };
    },
  }),
];
