import { Type } from 'typebox';
import type { HttpApp } from '../../http/app.ts';
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

const tags = ['Notifications'];

export interface BrowserDependencies extends BrowserStore {
  links: Links;
  pushToBrowser: PushToBrowser;
  testLimits: TestLimits;
}

/** The browsers in which a user is notified: each user's own. */
export function registerBrowserRoutes(app: HttpApp, dependencies: BrowserDependencies): void {
  const { pool, clock, encryption, links, pushToBrowser, testLimits } = dependencies;
  app.get(
    '/web-push/key',
    {
      schema: {
        tags,
        summary: 'The public key that browsers subscribe with',
        response: { 200: PushKey },
      },
    },
    async () => {
      const { publicKey } = await findOrCreateVapidKeys(pool, encryption, new Date(clock.now()));
      return { publicKey };
    },
  );

  app.get(
    '/web-push/browsers',
    {
      schema: {
        tags,
        summary: 'List the browsers in which you are notified',
        description: 'Newest first.',
        response: { 200: Type.Array(Browser) },
      },
    },
    async (request) => (await listBrowsersOf(pool, sessionOf(request).user.id)).map(toBrowser),
  );

  app.post(
    '/web-push/browsers',
    {
      schema: {
        tags,
        summary: 'Be notified in this browser',
        description:
          'Of what routes to a target of kind `webpush` send. It ends with a logout, and goes on at the next login. Sent again it changes the keys.',
        body: SubscriptionBody,
        response: { 201: Browser },
      },
    },
    async (request, reply) => {
      const { userAgent } = originOf(request);
      const browser = { subscription: request.body, userAgent };
      return reply.code(201).send(toBrowser(await addBrowser(dependencies, sessionOf(request), browser)));
    },
  );

  app.post(
    '/web-push/browsers/resume',
    {
      schema: {
        tags,
        summary: 'Go on being notified in a browser after a login there',
        description:
          '404 where you have not switched it on, or have removed it: the browser should unsubscribe.',
        body: EndpointBody,
        response: { 200: Browser },
      },
    },
    async (request) =>
      toBrowser(await resumeBrowser(dependencies, sessionOf(request), request.body.endpoint)),
  );

  app.delete(
    '/web-push/browsers/:id',
    {
      schema: {
        tags,
        summary: 'Not be notified in a browser any more',
        params: BrowserId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeBrowser(dependencies, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/web-push/browsers/:id/test',
    {
      schema: {
        tags,
        summary: 'Send a test message to one of your browsers',
        description:
          'By the code that sends every message; the answer is that of the push service. 5 a minute of a browser; 20 an hour and 4 at a time of the organization.',
        params: BrowserId,
        response: { 200: TestResult },
      },
    },
    async (request) => {
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
  );
}
