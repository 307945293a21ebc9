import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { KeyedQueue } from '../../src/platform/keyed-queue.ts';
import { unavailable } from '../../src/platform/unavailable.ts';
import { MAX_CHUNK_BYTES, MAX_MAP_BYTES, MAX_PIECE_BYTES } from '../../src/source-maps/limits.ts';
import { deleteMapsUnusedSince } from '../../src/source-maps/retention-queries.ts';
import { assembleBundle, type TakeTurn } from '../../src/source-maps/upload/assemble-bundle.ts';
import { deleteSurplusMaps } from '../../src/source-maps/upload/queries.ts';
import { createUploadSteps } from '../../src/source-maps/upload/upload-steps.ts';
import { readAll } from '../support/client.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { assemble, bundleOf, chunksOf, sha1, uploadBundle, uploadChunk, zipOf } from './bundle.ts';

const ID = '4f8a2b1c-0000-4000-8000-000000000001';
const OTHER_ID = '4f8a2b1c-0000-4000-8000-000000000002';
const MAP = { version: 3, sources: ['pay.ts'], sourcesContent: [null], names: [], mappings: 'AAAA' };

describe('an upload of source maps', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const user = await service.signUp();
  const { organizationId } = user;
  const token = await user.createToken('releases');
  const newProject = async () => (await user.createProject()).id;
  const path = `/api/0/organizations/${organizationId}/chunk-upload/`;

  const storedIn = async (projectId: string) => {
    const { rows } = await pool.query<{ debugId: string; bytes: number; pieces: number }>(
      `SELECT debug_id AS "debugId", packed_bytes AS bytes, count(*)::int AS pieces
        FROM source_maps JOIN source_map_pieces USING (project_id, debug_id)
        WHERE project_id = $1 GROUP BY project_id, debug_id ORDER BY 1`,
      [toUuid('proj', projectId)],
    );
    return rows;
  };

  it('says how, with an address that the command line completes', async () => {
    const headers = { 'user-agent': 'sentry-cli/3.8.0' };
    const { body } = await token.get(path, { headers });
    expect(body).toMatchObject({
      url: `organizations/${organizationId}/chunk-upload/`,
      chunkSize: MAX_CHUNK_BYTES,
    });
    expect((await token.get(path)).body.url).toBe(`${service.managementUrl}${path}`);
    const stranger = await service.signUp();
    expectProblem(await (await stranger.createToken('releases')).get(path), 'not_found');
    expectProblem(await (await user.createToken('read')).get(path), 'insufficient_scope');
  });

  it('names the missing chunks until all have arrived, then stores the maps once', async () => {
    const projectId = await newProject();
    const map = { ...MAP, file: randomBytes(1.5 * MAX_CHUNK_BYTES).toString('base64') };
    const bundle = bundleOf({ [ID]: map, [OTHER_ID]: MAP });
    const chunks = chunksOf(bundle);
    expect(chunks).toHaveLength(2);
    const before = await assemble(token, organizationId, bundle, [projectId]);
    expect(before.body).toEqual({ state: 'not_found', missingChunks: chunks.map(sha1) });
    expect((await uploadChunk(token, organizationId, chunks[0] as Buffer)).status).toBe(200);
    expect((await assemble(token, organizationId, bundle, [projectId])).body.missingChunks).toHaveLength(1);
    await uploadChunk(token, organizationId, chunks[1] as Buffer, { field: 'file' });
    const stored = { state: 'ok', missingChunks: [] };
    expect((await assemble(token, organizationId, bundle, [projectId])).body).toEqual(stored);
    expect(await storedIn(projectId)).toMatchObject([
      { debugId: ID, pieces: Math.ceil(bundle.length / MAX_PIECE_BYTES) },
      { debugId: OTHER_ID, pieces: 1 },
    ]);
    // A repeat, whose chunks are gone, ends at once.
    expect((await assemble(token, organizationId, bundle, [projectId])).body).toEqual(stored);
    expect(
      (
        await pool.query('SELECT FROM upload_chunks WHERE checksum = $1', [
          Buffer.from(sha1(chunks[0] as Buffer), 'hex'),
        ])
      ).rowCount,
    ).toBe(0);
  });

  it('keeps the newest map of a debug id, and stores one again whose bundle was replaced', async () => {
    const projectId = await newProject();
    const first = bundleOf({ [ID]: MAP });
    const second = bundleOf({ [ID.replaceAll('-', '').toUpperCase()]: { ...MAP, file: 'moved.js' } });
    await uploadBundle(token, organizationId, first, [projectId]);
    const [{ bytes } = { bytes: 0 }] = await storedIn(projectId);
    await uploadBundle(token, organizationId, second, [projectId]);
    expect((await storedIn(projectId))[0]?.bytes).toBeGreaterThan(bytes);
    expect((await assemble(token, organizationId, first, [projectId])).body.state).toBe('not_found');
    await uploadBundle(token, organizationId, first, [projectId]);
    expect((await storedIn(projectId))[0]?.bytes).toBe(bytes);
  });

  /** Assembles a bundle of one chunk, as the endpoint does, in turns of the test. */
  const assembleInTurns = (uploader: TestUser, bundle: Buffer, projectId: string, takeTurn: TakeTurn) =>
    assembleBundle(
      { pool, clock: service.context.clock, takeTurn, steps: createUploadSteps(pool) },
      toUuid('org', uploader.organizationId) ?? '',
      { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: [projectId] },
    );

  it('lets another organization have its turn after each map', async () => {
    const other = await service.signUp();
    const long = bundleOf({ [ID]: MAP, [OTHER_ID]: MAP, '4f8a2b1c-0000-4000-8000-000000000003': MAP });
    const short = bundleOf({ [ID]: MAP });
    await uploadChunk(user.api, organizationId, long);
    await uploadChunk(other.api, other.organizationId, short);
    const [projectId, { id: otherId }] = [await newProject(), await other.createProject()];
    const queue = new KeyedQueue({ maxRunning: 1, maxWaiting: 2 });
    const order: string[] = [];
    const turnsOf =
      (key: string, before: () => Promise<unknown>): TakeTurn =>
      (work) =>
        queue.run({ key, refuse: (refusal) => new Error(refusal) }, async () => {
          order.push(key);
          if (order.length === 1) await before();
          return work();
        });
    let theirs: Promise<unknown> = Promise.resolve();
    const beginTheirs = async () => {
      theirs = assembleInTurns(
        other,
        short,
        otherId,
        turnsOf('short', () => Promise.resolve()),
      );
      await waitFor('the other one waits', () => queue.waiting === 1);
    };
    const own = await assembleInTurns(user, long, projectId, turnsOf('long', beginTheirs));
    const stored = { state: 'ok', missingChunks: [] };
    expect([own, await theirs]).toEqual([stored, stored]);
    // Each reads its bundle, stores its maps, and then the bundle itself.
    expect(order).toEqual(['long', 'short', 'long', 'short', 'long', 'short', 'long', 'long']);
  });

  it('goes on with the same request after one that got no turn', async () => {
    const projectId = await newProject();
    const bundle = bundleOf({ [ID]: MAP, [OTHER_ID]: { ...MAP, file: 'other.js' } });
    await uploadChunk(token, organizationId, bundle);
    let turns = 0;
    const refused = assembleInTurns(user, bundle, projectId, async (work) => {
      if (++turns === 3) throw unavailable('Other uploads are in progress.');
      return work();
    });
    await expect(refused).rejects.toThrow('Other uploads are in progress.');
    expect(await storedIn(projectId)).toHaveLength(1);
    expect((await assemble(token, organizationId, bundle, [projectId])).body.state).toBe('ok');
    expect(await storedIn(projectId)).toHaveLength(2);
  });

  it('rests before each part of a bundle that it reads or writes, so that other work goes on', async () => {
    const projectId = await newProject();
    const bundle = bundleOf({
      [ID]: { ...MAP, file: randomBytes(2.5 * MAX_CHUNK_BYTES).toString('base64') },
    });
    const chunks = chunksOf(bundle);
    for (const chunk of chunks) await uploadChunk(token, organizationId, chunk);
    let rests = 0;
    const pacer = {
      rest: async () => {
        rests++;
      },
    };
    const steps = createUploadSteps(pool, () => pacer);
    const request = { checksum: sha1(bundle), chunks: chunks.map(sha1), projects: [projectId] };
    const { clock } = service.context;
    const dependencies = { pool, clock, takeTurn: <T>(work: () => Promise<T>) => work(), steps };
    await assembleBundle(dependencies, toUuid('org', organizationId) ?? '', request);
    const [{ pieces } = { pieces: 0 }] = await storedIn(projectId);
    expect(pieces).toBe(Math.ceil(bundle.length / MAX_PIECE_BYTES));
    // They are read twice: for the maps, and for the checksum.
    expect(rests).toBeGreaterThanOrEqual(3 * pieces);
  });

  it('refuses chunks that are not what their name says, and bodies that are no form', async () => {
    const chunk = Buffer.from('a chunk');
    const upload = (options: Parameters<typeof uploadChunk>[3]) =>
      uploadChunk(token, organizationId, chunk, options);
    expectProblem(await upload({ name: sha1(Buffer.from('another')) }), 'bad_request');
    expectProblem(await upload({ field: 'file', name: '../../etc/passwd' }), 'bad_request');
    expectProblem(await upload({ field: 'chunk' }), 'bad_request');
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${sha1(chunk)}"\r\n\r\na chunk\r\n`;
    const two = `${part}${part}--b--`;
    for (const body of ['', '--b', '--b\r\n\r\n', `--b\r\n${'a'.repeat(5_000)}\r\n\r\n\r\n--b--`, two])
      expectProblem(await token.post(path, body || ' ', { headers }), 'bad_request');
    expectProblem(await token.post(path, {}), 'unsupported_media_type');
    const bomb = Buffer.alloc(MAX_CHUNK_BYTES + 1);
    expectProblem(await uploadChunk(token, organizationId, bomb), 'body_too_large');
    expectProblem(
      await uploadChunk(token, organizationId, Buffer.alloc(MAX_CHUNK_BYTES * 2), { field: 'file' }),
      'body_too_large',
    );
  });

  it.each<[string, Buffer, RegExp]>([
    ['no ZIP file', Buffer.from('nothing'), /not a readable ZIP/],
    ['no manifest', zipOf([{ name: 'a', content: Buffer.from('a') }]), /no manifest/],
    [
      'another manifest',
      zipOf([{ name: 'manifest.json', content: Buffer.from('null') }]),
      /sourcemaps inject/,
    ],
    ['maps without a debug id', bundleOf({ 'not-an-id': MAP }), /sourcemaps inject/],
    ['a map shorter than it says', bundleOf({ [ID]: MAP }, { size: 5 }), /not a readable ZIP/],
    ['a map longer than it says', bundleOf({ [ID]: MAP }, { size: 50_000 }), /not a readable ZIP/],
    [
      'a map of another checksum',
      bundleOf({ [ID]: MAP }, { crc: 1 }),
      /0\.js\.map" of the bundle is damaged/,
    ],
    ['an unknown compression', bundleOf({ [ID]: MAP }, { method: 93 }), /not supported/],
    ['a bomb', bundleOf({ [ID]: Buffer.alloc(MAX_MAP_BYTES + 1) }), /larger than 32 MiB/],
    [
      'a bomb that hides its size',
      bundleOf({ [ID]: Buffer.alloc(MAX_MAP_BYTES + 1) }, { size: 100 }),
      /not a readable ZIP/,
    ],
    [
      'more when unpacked',
      bundleOf({ [ID]: MAP, [OTHER_ID]: MAP }, { size: 70 * 1024 * 1024 }),
      /128 MiB when/,
    ],
    ['maps that overlap', bundleOf({ [ID]: MAP, [OTHER_ID]: MAP }, { packedSize: 400 }), /files overlap/],
    [
      'too many files',
      zipOf(Array.from({ length: 2_001 }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(0) }))),
      /2000 files/,
    ],
  ])('refuses a bundle with %s in a sentence, and stores nothing of it', async (_what, bundle, sentence) => {
    const projectId = await newProject();
    const { status, body } = await uploadBundle(token, organizationId, bundle, [projectId]);
    expect([status, body]).toEqual([
      200,
      { state: 'error', missingChunks: [], detail: expect.stringMatching(sentence) },
    ]);
    expect(await storedIn(projectId)).toEqual([]);
  });

  it('refuses a bundle of another checksum, and a project of another organization', async () => {
    const projectId = await newProject();
    const bundle = bundleOf({ [ID]: MAP });
    await uploadChunk(token, organizationId, bundle);
    const stranger = await service.signUp();
    const { id: theirs } = await stranger.createProject();
    expectProblem(await assemble(token, organizationId, bundle, [theirs]), 'not_found');
    const body = { checksum: sha1(Buffer.from('a')), chunks: [sha1(bundle)], projects: [projectId] };
    const { body: answer } = await token.post(
      `/api/0/organizations/${organizationId}/artifactbundle/assemble/`,
      body,
    );
    expect(answer).toMatchObject({ state: 'error', detail: expect.stringContaining('checksum') });
  });

  it('finds no chunk that another organization has uploaded', async () => {
    const bundle = bundleOf({ [ID]: { ...MAP, file: 'own.js' } });
    await uploadChunk(token, organizationId, bundle);
    const stranger = await service.signUp();
    const { id } = await stranger.createProject();
    const theirs = await stranger.createToken('releases');
    expect((await assemble(theirs, stranger.organizationId, bundle, [id])).body.state).toBe('not_found');
  });

  it('makes room for new maps by those that were used longest ago', async () => {
    const projectId = await newProject();
    const uuid = toUuid('proj', projectId) ?? '';
    const old = bundleOf({ [ID]: MAP });
    await uploadBundle(token, organizationId, old, [projectId]);
    await pool.query(`UPDATE source_maps SET used_at = used_at - interval '1 day' WHERE project_id = $1`, [
      uuid,
    ]);
    await uploadBundle(token, organizationId, bundleOf({ [OTHER_ID]: MAP }), [projectId]);
    const [, { bytes } = { bytes: 0 }] = await storedIn(projectId);
    await deleteSurplusMaps(pool, uuid, { maxBytes: bytes });
    expect((await storedIn(projectId)).map(({ debugId }) => debugId)).toEqual([OTHER_ID]);
    // It is no longer taken for stored.
    expect((await assemble(token, organizationId, old, [projectId])).body.state).toBe('not_found');
    await deleteSurplusMaps(pool, uuid, { maxMaps: 0 });
    expect(await storedIn(projectId)).toEqual([]);
  });

  it('forgets maps that were not used for a long time, with their bundles', async () => {
    const projectId = await newProject();
    const bundle = bundleOf({ [ID]: MAP });
    await uploadBundle(token, organizationId, bundle, [projectId]);
    await pool.query(`UPDATE source_maps SET used_at = '2020-01-01' WHERE project_id = $1`, [
      toUuid('proj', projectId),
    ]);
    while (await deleteMapsUnusedSince(pool, new Date('2020-01-02')));
    expect(await storedIn(projectId)).toEqual([]);
    expect((await assemble(token, organizationId, bundle, [projectId])).body.state).toBe('not_found');
  });

  it('keeps a map that is used while the unused ones are deleted', async () => {
    const projectId = await newProject();
    const bundle = bundleOf({ [ID]: MAP });
    await uploadBundle(token, organizationId, bundle, [projectId]);
    const uuid = toUuid('proj', projectId);
    await pool.query(`UPDATE source_maps SET used_at = '2020-01-01' WHERE project_id = $1`, [uuid]);
    const reader = await beginHeldTransaction(pool);
    await reader.query(`UPDATE source_maps SET used_at = '2020-01-03' WHERE project_id = $1`, [uuid]);
    const deletion = deleteMapsUnusedSince(pool, new Date('2020-01-02'));
    await waitFor('the deletion waits for the reader', async () => (await countLockWaits(pool)) > 0);
    await reader.query('COMMIT');
    reader.release();
    await deletion;
    expect(await storedIn(projectId)).toHaveLength(1);
    expect((await assemble(token, organizationId, bundle, [projectId])).body.state).toBe('ok');
  });

  it('removes maps with their project', async () => {
    const own = await startTestService({ roles: ['management'] });
    const owner = await own.signUp();
    const { id } = await owner.createProject();
    const ownToken = await owner.createToken('releases');
    await uploadBundle(ownToken, owner.organizationId, bundleOf({ [ID]: MAP }), [id]);
    await owner.api.delete(`/projects/${id}`);
    while (await own.maintain());
    for (const table of ['source_maps', 'source_map_pieces', 'source_map_bundles'])
      expect((await own.database.pool.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
    expect(await readAll(owner.api, '/projects')).toEqual([]);
  });
});
