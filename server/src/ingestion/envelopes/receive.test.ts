import { expect, it } from 'vitest';
import type { HttpApp } from '../../http/http-app.ts';
import { systemClock } from '../../platform/clock.ts';
import type { EnvelopeDependencies } from './keep-content.ts';
import { createReceiver, type DsnRequest } from './receive.ts';

it('reads the bodies of others while a database is slow to answer about a quota', async () => {
  const nothing = () => app;
  const app = new Proxy({}, { get: () => nothing }) as HttpApp;
  const owner = { organizationId: 'o', projectNumber: 1, projectId: 'p', keyId: 'k', browser: null };
  const taking: string[] = [];
  // Dependencies up to the quota, which gets no answer.
  const dependencies = {
    clock: systemClock,
    authentication: { knownOwner: () => owner },
    scrubSettingsOf: () => null,
    quotas: { take: () => new Promise(() => taking.push('taking')) },
  } as unknown as EnvelopeDependencies;
  const { receive } = createReceiver(app, dependencies);
  const request = {
    body: Buffer.from('{}'),
    params: { number: '1' },
    headers: {},
    dsn: { number: '1', rawKey: 'k' },
  } as unknown as DsnRequest;
  const empty = { eventId: null, ownsId: false, events: [], checkIns: [], unstored: [], refusal: null };
  // More than are read at a time.
  for (let count = 0; count < 20; count++) void receive(request, nothing() as never, () => empty);
  await expect.poll(() => taking.length).toBe(20);
});
