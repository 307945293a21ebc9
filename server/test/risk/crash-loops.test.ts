import { describe, expect, it } from 'vitest';
import { middleOf, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { beginProject, type SentEvent } from './project-life.ts';
import { incidentsOf, QUICK_PACE } from './support.ts';

const MINUTE_MS = 60_000;

const crashOf = (source: string): SentEvent => ({
  type: 'TypeError',
  severity: 'CRITICAL',
  source,
  message: `No session in ${source}`,
});

describe('a crash loop', { timeout: scaled(120_000) }, async () => {
  const clock = new StillClock(middleOf(MINUTE_MS));
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const user = await service.signUp();
  const setUp = () => beginProject(service, clock, user);

  it('opens one incident for a thousand critical events of a group at once, for those of an hour, and none for their end', async () => {
    const project = await setUp();
    await project.run(1, [1_000, crashOf('shop')]);
    await project.run(60, [17, crashOf('shop')]);
    expect(await project.one()).toMatchObject({ severity: 'critical', status: 'open', eventCount: 2_020 });
    await project.run(30);
    expect(await project.one()).toMatchObject({ eventCount: 2_020 });
  });

  it('opens one incident for critical events of three groups at once, which names the other two as joined', async () => {
    const project = await setUp();
    await project.run(4, [250, crashOf('shop')], [250, crashOf('mail')], [250, crashOf('pay')]);
    const { evidence } = await project.one();
    const series: { source: string | null }[] = [evidence.series, ...evidence.alsoSeries];
    expect(new Set(series.flatMap(({ source }) => source ?? []))).toEqual(new Set(['shop', 'mail', 'pay']));
  });

  it('opens one incident more, which names the one before, where a person resolves it while the loop goes on', async () => {
    const project = await setUp();
    await project.run(3, [100, crashOf('shop')]);
    const { id } = await project.one();
    expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
    // An event of the same millisecond belongs to the incident that ends with it.
    clock.advance(1_000);
    await project.run(15, [100, crashOf('shop')]);
    const incidents = await incidentsOf(user, project.id);
    expect(incidents).toMatchObject([
      { status: 'open', previousIncidentId: id, eventCount: 1_500 },
      { id, status: 'resolved', eventCount: 300 },
    ]);
  });
});
