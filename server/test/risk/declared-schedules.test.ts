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
    for (let beat = 0; beat < HEARTBEATS; beat++) {
      await detection.pass(MINUTES, [
        { project: 0, events: 1 },
        { project: 1, events: 1 },
      ]);
    }
    for (let minutes = 0; minutes < 180; minutes += MINUTES) await detection.pass(MINUTES);

    const [silence] = await incidentsOf(user, learned);
    expect(silence).toMatchObject({ origin: 'risk', evidence: { rule: 'silence', observed: 0 } });
    expect(await incidentsOf(user, declared)).toEqual([]);
    const suppressed = await decisionsOf(user, declared, 'suppressed');
    expect(suppressed.map(({ reason }: { reason: string }) => reason)).toContain('declared');
  },
  scaled(120_000),
);
