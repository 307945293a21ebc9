import { expect, it } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { startTestService, type TestProject } from '../support/service.ts';
import { anAlert, notify } from './support.ts';

const MINUTE_MS = 60_000;

// Alerts and detection are related for ten minutes, however long the steps between them take.
const clock = new StillClock();
const service = await startTestService({ own: true, clock });
const user = await service.signUp();

type Step = (project: TestProject) => Promise<unknown>;

/** An event that the detector opens an incident for. */
const detect =
  (source: string | null): Step =>
  ({ ingest }) =>
    ingest.post('/ingest/events', {
      type: 'checkout',
      severity: 'CRITICAL',
      message: 'No disk',
      ...(source !== null && { source }),
    });

interface Firing {
  /** Labels that name the source. */
  labels?: Record<string, string>;
  name?: string;
  /** Minutes since it began. */
  ago?: number;
  /** True if it is over. */
  isOver?: boolean;
}

const alertOf = ({ labels = { service: 'shop' }, name = 'DiskFull', ago = 9, isOver = false }: Firing) => {
  const startsAtMs = clock.now() - ago * MINUTE_MS;
  return anAlert({
    startsAtMs,
    ...(isOver && { endsAtMs: startsAtMs + MINUTE_MS }),
    // Alertmanager computes it from the labels.
    with: { labels: { alertname: name, ...labels }, fingerprint: JSON.stringify([name, labels]) },
  });
};
const alert =
  (firing: Firing = {}, groupKey = 'g'): Step =>
  (project) =>
    notify(project, groupKey, [alertOf(firing)]);
const grafana =
  (firing: Firing = {}): Step =>
  ({ ingest }) =>
    ingest.post('/ingest/grafana', { groupKey: 'g', alerts: [alertOf(firing)] });
const group =
  (...listed: Firing[]): Step =>
  (project) =>
    notify(project, 'g', listed.map(alertOf));

const resolve: Step = async ({ id }) => {
  const { body } = await user.api.get(`/incidents?project_id=${id}`);
  return user.api.patch(`/incidents/${body[0].id}`, { status: 'resolved' });
};
const pass = async (minutes: number) => clock.advance(minutes * MINUTE_MS);

/** Takes a step of all stories at a time, each in a project of its own. @returns the incidents of each */
async function tell(stories: readonly (readonly [title: string, ...steps: Step[]])[]) {
  const told = await Promise.all(
    stories.map(async ([title, ...steps]) => ({ title, steps, project: await user.createProject() })),
  );
  for (let step = 0; told.some(({ steps }) => step < steps.length); step++) {
    await Promise.all(told.map(async ({ steps, project }) => steps[step]?.(project)));
    await service.settled();
  }
  return Promise.all(
    told.map(async ({ title, project }) => {
      const { body } = await user.api.get(`/incidents?project_id=${project.id}`);
      return {
        title,
        incidents: body.map(({ origin, evidence }: { origin: string; evidence: object | null }) =>
          evidence && origin !== 'risk' ? `${origin} and risk` : origin,
        ),
      };
    }),
  );
}

const renamed = group({ isOver: true }, { labels: { service: 'store' }, ago: 2 });

it('tells one cause as one incident, whichever of alerts and detection comes first, by whatever labels and groups', async () => {
  const told = await tell([
    ['an alert of the service, then detection', alert(), detect('shop')],
    ['detection, then an alert of the service', detect('shop'), alert()],
    ['an alert of the job, then detection', alert({ labels: { job: 'shop' } }), detect('shop')],
    ['detection, then an alert of the job', detect('shop'), alert({ labels: { job: 'shop' } })],
    ['an alert of the namespace, then detection', alert({ labels: { namespace: 'shop' } }), detect('shop')],
    ['two groups, then detection', alert(), alert({ name: 'Slow' }, 'h'), detect('shop')],
    ['detection between two groups', alert(), detect('shop'), alert({ name: 'Slow' }, 'h')],
    ['Alertmanager, Grafana, then detection', alert(), grafana(), detect('shop')],
    ['detection, then Grafana and Alertmanager', detect('shop'), grafana(), alert()],
    ['one notification by two replicas, then detection', alert(), alert(), detect('shop')],
    [
      'an alert that is over before detection, while one of another group fires',
      alert(),
      alert({ name: 'Slow' }, 'h'),
      alert({ isOver: true }),
      detect('shop'),
    ],
    [
      'an alert that is over and fires again',
      detect('shop'),
      alert(),
      alert({ isOver: true }),
      alert({ ago: 2 }),
    ],
    ['a service that is renamed, then detection by its new name', alert(), renamed, detect('store')],
    ['a service that is renamed, then detection by its former name', alert(), renamed, detect('shop')],
  ]);
  expect(told).toHaveLength(14);
  expect(told.filter(({ incidents }) => incidents.length !== 1)).toEqual([]);
});

it('keeps what has nothing to do with each other in incidents of their own', async () => {
  const mail = { labels: { service: 'mail' } };
  const pairs = [
    ['an alert of one service and detection of another', alert(mail), detect('shop')],
    ['detection of one service and an alert of another', detect('shop'), alert(mail)],
    ['alerts of two services', alert(), alert(mail, 'h')],
    ['alerts of two services by two senders', alert(), grafana(mail)],
    ['an alert of no service and detection', alert({ labels: {} }), detect('shop')],
    ['detection of no service and an alert', detect(null), alert()],
    ['services with similar names', alert({ labels: { service: 'shop-eu' } }), detect('shop')],
    ['an alert that a person resolved, then detection', alert(), resolve, detect('shop')],
  ] as const;
  const laterPairs = [
    ['an alert, and detection after 11 minutes', alert(), () => pass(11), detect('shop')],
    ['detection that a person resolved, and an alert after 11 minutes', detect('shop'), resolve, alert()],
  ] as const;
  const told = [...(await tell(pairs)), ...(await tell(laterPairs))];
  expect(told).toHaveLength(10);
  expect(told.filter(({ incidents }) => incidents.length !== 2)).toEqual([]);
});
