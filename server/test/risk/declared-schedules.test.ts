import { expect, it } from 'vitest';
import { scaled } from '../support/time-scale.ts';
import { Detection } from './detection.ts';
import { decisionsOf, incidentsOf } from './support.ts';

const MINUTES = 30;
const HEARTBEATS = 96;

it(
  'hands the learned heartbeat of a series over to the schedule that declares it, and keeps that of others',
  async () => {
    const detection = await Detection.start(2, 10_000);
    const { user, projects } = detection;
    const [declared = '', learned = ''] = projects;
    const schedule = { name: 'Orders', intervalSeconds: MINUTES * 60, type: 'order' };
    expect((await user.api.post(`/projects/${declared}/schedules`, schedule)).status).toBe(201);
    const beats = projects.map((_, project) => ({ project, events: 1 }));
    await detection.sendMinutes(
      Array.from({ length: HEARTBEATS * MINUTES }, (_, minute) => (minute % MINUTES === 0 ? beats : [])),
    );
    await detection.pass(180);

    const [silence] = await incidentsOf(user, learned);
    expect(silence).toMatchObject({ origin: 'risk', evidence: { rule: 'silence', observed: 0 } });
    expect(await incidentsOf(user, declared)).toEqual([]);
    const suppressed = await decisionsOf(user, declared, 'suppressed');
    expect(suppressed.map(({ reason }: { reason: string }) => reason)).toContain('declared');
  },
  scaled(120_000),
);
