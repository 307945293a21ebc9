import { describe, expect, it } from 'vitest';
import { createDsnProject, type DsnProject } from '../ingestion/envelopes/support.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { signUpWithWebhook } from '../support/webhook-target.ts';
import { bundleOf, uploadBundle } from './bundle.ts';

const ID = '4f8a2b1c-0000-4000-8000-000000000001';
const BUILT = 'https://shop.example/assets/app.js';
/** Column 0 leads to `pay.ts`, where `charge` is called, column 10 to a library. */
const MAP = {
  version: 3,
  sources: ['../src/pay.ts', '../node_modules/cards/index.js'],
  names: ['charge'],
  mappings: 'AAAAA,UCEAA',
};

const frame = (colno: number, fields = {}) => ({
  abs_path: BUILT,
  function: 't',
  lineno: 1,
  colno,
  in_app: true,
  ...fields,
});
/** An event as a client of Sentry sends it: the innermost frame is the last. */
const errorOf = (type: string, frames: object[], fields = {}) => ({
  exception: { values: [{ type, value: 'card is undefined', stacktrace: { frames } }] },
  debug_meta: { images: [{ type: 'sourcemap', code_file: BUILT, debug_id: ID }] },
  ...fields,
});

describe('the culprit of a group whose files were built', async () => {
  const service = await startTestService({
    environment: { OUTBOUND_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://tocsin.example.com' },
  });
  const { user, webhook } = await signUpWithWebhook(service, { route: { changes: ['group_new'] } });
  const upload = (project: DsnProject) =>
    uploadBundle(user.api, user.organizationId, bundleOf({ [ID]: MAP }), [project.id]);
  const list = async (project: DsnProject) => (await user.api.get(`/groups?project_id=${project.id}`)).body;
  /** Returns the culprit of the only group once there is one. */
  const culpritOf = (project: DsnProject) =>
    waitFor('the group', async () => (await list(project))[0]?.culprit);

  it('maps the culprit of a group in lists, on its page and in the groups of an incident once its map is there', async () => {
    const project = await createDsnProject(service, user);
    const event = errorOf('CardError', [frame(4), frame(1)], { level: 'fatal' });
    await project.sendItem('event', event);
    const incident = await user.firstIncident(project.id);
    expect(await list(project)).toMatchObject([{ culprit: `t in ${BUILT}` }]);
    await upload(project);
    const culprit = 'charge in src/pay.ts';
    expect(await culpritOf(project)).toBe(culprit);
    const [{ id }] = await list(project);
    const { body: changed } = await user.api.patch(`/groups/${id}`, { assigneeId: user.id });
    expect([(await user.api.get(`/groups/${id}`)).body.culprit, changed.culprit]).toEqual([culprit, culprit]);
    const { body: bulk } = await user.api.patch('/groups', { ids: [id], state: 'resolved' });
    const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
    expect([bulk[0].culprit, groups[0].group.culprit]).toEqual([culprit, culprit]);
  });

  it('takes the innermost frame that is not in a library of the bundle for the culprit', async () => {
    const project = await createDsnProject(service, user);
    await upload(project);
    await project.sendItem('event', errorOf('LibraryError', [frame(1, { function: 'Cart.pay' }), frame(11)]));
    expect(await culpritOf(project)).toBe('Cart.pay in src/pay.ts');
  });

  it('maps no culprit by a map of another project', async () => {
    const [project, other] = [await createDsnProject(service, user), await createDsnProject(service, user)];
    await upload(other);
    for (const each of [project, other]) await each.sendItem('event', errorOf('SameError', [frame(1)]));
    await culpritOf(other);
    expect(await list(project)).toMatchObject([{ culprit: `t in ${BUILT}` }]);
  });

  it('maps the culprit of a group in messages', async () => {
    const project = await createDsnProject(service, user);
    await upload(project);
    await project.sendItem('event', errorOf('CardError', [frame(1)]));
    const message = await waitFor('the message', () =>
      webhook.received.find(({ data }) => data['project'].id === project.id),
    );
    expect(message.data).toMatchObject({ group: { culprit: 't in src/pay.ts' }, lines: ['t in src/pay.ts'] });
  });
});
