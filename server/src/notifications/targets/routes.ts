import { Type } from 'typebox';
import type { HttpApp } from '../../http/app.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { type AskingDependencies, askAgain, askOnce } from '../recipients/ask-recipient.ts';
import { listRecipients } from '../recipients/queries.ts';
import { assertMayChange, changeTarget, createTarget, removeTarget, requireTarget } from './change-target.ts';
import { listTargets } from './queries.ts';
import { CreatedTarget, NewTarget, Target, TargetId, TargetPatch, TestResult, toTarget } from './schema.ts';
import type { TestLimits } from './test-limits.ts';
import { type Testing, testTarget } from './test-target.ts';

const tags = ['Notifications'];

export function registerTargetRoutes(
  app: HttpApp,
  { testLimits, ...dependencies }: Testing & AskingDependencies & { testLimits: TestLimits },
): void {
  const { pool, clock } = dependencies;
  app.get(
    '/notification-targets',
    {
      schema: {
        tags,
        summary: 'List the targets of the organization',
        description: 'Without secrets. `health` says whether messages arrive.',
        response: { 200: Type.Array(Target) },
      },
    },
    async (request) => {
      const { organizationId } = sessionOf(request);
      const recipients = await listRecipients(pool, organizationId);
      const byAddress = new Map(recipients.map((recipient) => [recipient.address, recipient]));
      const targets = await listTargets(pool, organizationId);
      return targets.map((target) =>
        toTarget(target, byAddress.get(target.recipient ?? '') ?? null, clock.now()),
      );
    },
  );

  app.post(
    '/notification-targets',
    {
      schema: {
        tags,
        summary: 'Create a target',
        description:
          'For OWNERs. Nothing is sent to it until a route leads there; an address of mail that is no member’s is asked first.',
        body: NewTarget,
        response: { 201: CreatedTarget },
      },
    },
    async (request, reply) => {
      const { target, shownOnce } = await createTarget(dependencies, sessionOf(request), request.body);
      const recipient = await askOnce(dependencies, target);
      return reply.code(201).send({ ...toTarget(target, recipient, clock.now()), ...shownOnce });
    },
  );

  app.patch(
    '/notification-targets/:id',
    {
      schema: {
        tags,
        summary: 'Change, enable or disable a target',
        description: 'For OWNERs. What waits for a disabled target is not sent later.',
        params: TargetId,
        body: TargetPatch,
        response: { 200: Target },
      },
    },
    async (request) => {
      const target = await changeTarget(dependencies, sessionOf(request), request.params.id, request.body);
      return toTarget(target, await askOnce(dependencies, target), clock.now());
    },
  );

  app.delete(
    '/notification-targets/:id',
    {
      schema: {
        tags,
        summary: 'Delete a target with its routes and its log',
        description: 'For OWNERs.',
        params: TargetId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeTarget(dependencies, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/notification-targets/:id/confirmation',
    {
      schema: {
        tags,
        summary: 'Ask the address of a target again whether it wants messages',
        description:
          'For OWNERs. The mail has a link, which takes the place of the one before. 3 a day to an address, 20 an hour of the organization.',
        params: TargetId,
        response: { 200: Target },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      assertMayChange(session);
      const target = await requireTarget(pool, session.organizationId, request.params.id);
      return toTarget(target, await askAgain(dependencies, target), clock.now());
    },
  );

  app.post(
    '/notification-targets/:id/test',
    {
      schema: {
        tags,
        summary: 'Send a test message',
        description:
          'For OWNERs. By the code that sends every message; the answer is that of the target. 5 a minute of a target; 20 an hour and 4 at a time of the organization.',
        params: TargetId,
        response: { 200: TestResult },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      assertMayChange(session);
      const target = await requireTarget(pool, session.organizationId, request.params.id);
      return testLimits.run(session.organizationId, target.id, () => testTarget(dependencies, target));
    },
  );
}
