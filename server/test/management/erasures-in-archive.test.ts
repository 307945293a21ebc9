import { expect, it } from 'vitest';
import { isArchiveErased } from '../../src/erasures/erase-archived.ts';
import { insertArchiveState, updateArchivedUntil } from '../../src/events/archive/block-queries.ts';
import { deleteDeletion, findDeletion } from '../../src/events/archive/deletion-queries.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService({ own: true });
const { pool } = service.database;
const owner = await service.signUp();

it('asks an archive that is configured before anything is known of it, and none where none is', async () => {
  const id = '019a0000-0000-7000-8000-000000000000';
  const subject = { projectId: null, projectIds: [id], key: null, value: 'u', erasedFrom: null };
  const erasure = { id, organizationId: id, ...subject };
  expect(await isArchiveErased({ pool }, erasure)).toBe(true);
  expect(await isArchiveErased({ pool, hasArchive: true }, erasure)).toBe(false);
});

it('ends an erasure once its events are removed from the archive too, and keeps no value of it', async () => {
  const project = await owner.createProject();
  await insertArchiveState(pool, '019a0000-0000-7000-8000-000000000000');
  await updateArchivedUntil(pool, new Date('2026-03-02T00:00:00Z'));
  const request = { projectId: project.id, key: 'user_id', value: 'usr_4711' };
  const { body: erasure } = await owner.api.post('/erasures', request);
  const deletion = await waitFor('the request to the archive', () => findDeletion(pool));
  expect(deletion).toMatchObject({
    kind: 'value',
    erasureId: toUuid('ers', erasure.id),
    condition: { projectIds: [toUuid('proj', project.id)], key: 'user_id', value: 'usr_4711' },
  });
  const stateOf = async () => (await owner.api.get(`/erasures/${erasure.id}`)).body.state;
  expect(await stateOf()).not.toBe('done');
  await deleteDeletion(pool, deletion);
  const { rows: left } = await pool.query('SELECT condition, is_done AS "isDone" FROM archive_deletions');
  expect(left).toEqual([{ condition: {}, isDone: true }]);
  service.wake('erasures');
  await waitFor('the end of the erasure', async () => (await stateOf()) === 'done');
  expect((await pool.query('SELECT FROM archive_deletions')).rowCount).toBe(0);
});

it('asks for the removal of a deleted project from the archive, in the transaction that deletes it', async () => {
  const project = await owner.createProject();
  expect((await owner.api.delete(`/projects/${project.id}`)).status).toBe(204);
  expect(await findDeletion(pool)).toMatchObject({
    kind: 'project',
    condition: { projectId: toUuid('proj', project.id) },
    erasureId: null,
  });
});
