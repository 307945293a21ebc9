import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { incidentsOf, notesOf } from './support.ts';

/** Deliveries of the unmodified program: two alerts fire, are repeated, and end one after the other. */
interface Recording {
  firstAlertAt: string;
  requests: {
    /** Time since the first delivery. */
    afterMs: number;
    method: string;
    path: string;
    headers: Record<string, string>;
    body: string;
  }[];
}

const RECORDING = new URL('recorded/alertmanager-0.25.0.json', import.meta.url);

it('opens one incident for the recorded deliveries of Alertmanager 0.25.0, and resolves it at the last one', async () => {
  const { firstAlertAt, requests } = JSON.parse(await readFile(RECORDING, 'utf8')) as Recording;
  const clock = new StillClock(Date.parse(firstAlertAt) + 1_000);
  const service = await startTestService({ own: true, clock });
  const user = await service.signUp();
  const project = await user.createProject();
  const answers: unknown[] = [];
  const states: string[] = [];
  const isOver = requests.map(({ body }) => JSON.parse(body).status === 'resolved');
  let sentMs = 0;
  for (const [index, { afterMs, method, path, headers, body }] of requests.entries()) {
    clock.advance(afterMs - sentMs);
    sentMs = afterMs;
    answers.push((await project.ingest.request(method, path, { headers, body })).body);
    const [incident] = await incidentsOf(
      user,
      project,
      (incidents) => incidents.length === 1 && (incidents[0]?.status === 'resolved') === isOver[index],
    );
    states.push(incident.status);
  }
  expect(answers).toEqual([
    { status: 'queued', events: 2, repeats: 0 },
    { status: 'queued', events: 0, repeats: 2 },
    { status: 'queued', events: 1, repeats: 1 },
    { status: 'queued', events: 1, repeats: 0 },
  ]);
  expect(states).toEqual(['open', 'open', 'open', 'resolved']);
  const [incident] = await incidentsOf(user, project, ({ length }) => length === 1);
  expect(incident).toMatchObject({
    title: 'HighErrorRate: 5% of checkouts fail',
    severity: 'critical',
    origin: 'alertmanager',
    links: [
      { name: 'alert', url: 'http://prometheus.example/graph?g0.expr=rate' },
      { name: 'runbook', url: 'https://runbooks.example/high-error-rate' },
    ],
  });
  expect(await notesOf(user, incident.id)).toEqual([
    'Alertmanager: 2 alerts fire: “HighErrorRate: 5% of checkouts fail” and “HighErrorRate: 2% of checkouts fail”.',
    'All alerts of Alertmanager are over. Resolved automatically.',
  ]);
});
