import { Type } from 'typebox';
import { routesOf } from '../../http/route.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { type AskingDependencies, askAgain, askOnce } from '../recipients/ask-recipient.ts';
import { listRecipients } from '../recipients/queries.ts';
import { assertMayChange, changeTarget, createTarget, removeTarget, requireTarget } from './change-target.ts';
import { listTargets } from './queries.ts';
import { CreatedTarget, NewTarget, Target, TargetId, TargetPatch, TestResult, toTarget } from './schema.ts';
import type { TestLimits } from './test-limits.ts';
import { type TestDependencies, testTarget } from './test-target.ts';

const route = routesOf<TestDependencies & AskingDependencies & { testLimits: TestLimits }>('Notifications');

export const targetRoutes = [
  route.get('/notification-targets', {
    summary: 'List the targets of the organization',
    description: 'Secrets are left out. `health` says whether messages arrive.',
    answer: Type.Array(Target),
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const recipients = await listRecipients(pool, organizationId);
      const byAddress = new Map(recipients.map((recipient) => [recipient.address, recipient]));
      const targets = await listTargets(pool, organizationId);
      return targets.map((target) => toTarget(target, byAddress.get(target.recipient ?? '') ?? null));
    },
  }),

  route.post('/notification-targets', {
    summary: 'Create a target',
    description:
      'For OWNERs. Nothing is sent to it until a route leads there; an address of mail that is no member’s is asked first.',
    body: NewTarget,
    answer: CreatedTarget,
    status: 201,
    handle: async (request, dependencies) => {
      const { target, shownOnce } = await createTarget(dependencies, sessionOf(request), request.body);
      const recipient = await askOnce(dependencies, target);
      return { ...toTarget(target, recipient), ...shownOnce };
    },
  }),

  route.patch('/notification-targets/:id', {
    summary: 'Change, enable or disable a target',
    description: 'For OWNERs. What waits for a disabled target is not sent later.',
    params: TargetId,
    body: TargetPatch,
    answer: Target,
    handle: async (request, dependencies) => {
      const target = await changeTarget(dependencies, sessionOf(request), request.params.id, request.body);
      return toTarget(target, await askOnce(dependencies, target));
    },
  }),

  route.delete('/notification-targets/:id', {
    summary: 'Delete a target with its routes and its log',
    description: 'For OWNERs.',
    params: TargetId,
    handle: async (request, dependencies) => {
      await removeTarget(dependencies, sessionOf(request), request.params.id);
    },
  }),

  route.post('/notification-targets/:id/confirmation', {
    summary: 'Ask the address of a target again whether it wants messages',
    description:
      'For OWNERs. The mail has a link, which takes the place of the one before. 3 a day to an address, 20 an hour of the organization.',
    params: TargetId,
    answer: Target,
    handle: async (request, dependencies) => {
      const session = sessionOf(request);
      assertMayChange(session);
      const target = await requireTarget(dependencies.pool, session.organizationId, request.params.id);
      return toTarget(target, await askAgain(dependencies, target));
    },
  }),

  route.post('/notification-targets/:id/test', {
    summary: 'Send a test message',
    description:
      'For OWNERs. By the code that sends every message; the answer is that of the target. 5 a minute of a target; 20 an hour and 4 at a time of the organization.',
    params: TargetId,
    answer: TestResult,
    handle: async (request, dependencies) => {
      const session = sessionOf(request);
      assertMayChange(session);
      const target = await requireTarget(dependencies.pool, session.organizationId, request.params.id);
      return dependencies.testLimits.run(session.organizationId, target.id, () =>
        testTarget(dependencies, target),
      );
    },
  }),
];
