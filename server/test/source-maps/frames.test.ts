import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { FrameMapper } from '../../src/source-maps/frames/frame-mapper.ts';
import { readBuiltStacks } from '../../src/source-maps/frames/read-built-stacks.ts';
import { createDsnProject, type DsnProject } from '../ingestion/envelopes/support.ts';
import type { Answer } from '../support/client.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { bundleOf, uploadBundle } from './bundle.ts';

const ID = '4f8a2b1c-0000-4000-8000-000000000001';
const OTHER_ID = '4f8a2b1c-0000-4000-8000-000000000002';
const BUILT = 'https://shop.example/assets/app.js';
const CHUNK = 'https://shop.example/assets/chunk.js';

/** Column 0 leads to line 1 of `pay.ts`, column 10 to line 3, named `charge`. */
const MAP = {
  version: 3,
  sources: ['../src/pay.ts'],
  sourcesContent: ['import card\n\ncharge(card)'],
  names: ['charge'],
  mappings: 'AAAA,UAEIA',
};

const frame = (file: string, colno: number, fields = {}) => ({
  abs_path: file,
  filename: file,
  function: 't',
  lineno: 1,
  colno,
  in_app: true,
  ...fields,
});
/** An event as a client of Sentry sends it: the innermost frame is the last. */
const errorOf = (images: object[], frames: object[]) => ({
  exception: { values: [{ type: 'TypeError', value: 'card is undefined', stacktrace: { frames } }] },
  debug_meta: { images },
});
const image = (file: string, id: string) => ({ type: 'sourcemap', code_file: file, debug_id: id });

describe('the frames of an event whose files were built', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const upload = (project: DsnProject, maps: Record<string, unknown>) =>
    uploadBundle(user.api, user.organizationId, bundleOf(maps), [project.id]);
  const send = async (project: DsnProject, event: object): Promise<Answer['body']> => {
    await project.sendItem('event', event);
    const [stored] = await project.events(1);
    return stored;
  };
  const read = async (id: string) => (await user.api.get(`/events/${id}`)).body;
  /** Reads an event until its frames are mapped: each read waits for its maps for a bounded time. */
  const mapped = (id: string) =>
    waitFor('mapped frames', async () => {
      const event = await read(id);
      return event.frames.some(
        ({ file }: { file: string }) => file.endsWith('.ts') || file.includes('node_modules'),
      )
        ? event
        : null;
    });

  it('maps the frames that have a source map, and leaves the payload as it was sent', async () => {
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: MAP });
    const frames = [
      frame('node:internal/timers', 5),
      frame(BUILT, 11),
      frame(CHUNK, 3, { function: 'Cart.add' }),
      frame(BUILT, 4),
    ];
    const stored = await send(project, errorOf([image(BUILT, ID), image(CHUNK, OTHER_ID)], frames));
    const { frames: sourceFrames, payload } = await mapped(stored.id);
    const context = { firstLine: 1, lines: ['import card', '', 'charge(card)'] };
    expect(sourceFrames).toEqual([
      // The place of its caller has no map, so it keeps its name.
      { function: 't', file: 'src/pay.ts', line: 1, column: 1, inApplication: true, context },
      { function: 'Cart.add', file: CHUNK, line: 1, column: 3, inApplication: true, context: null },
      { function: 't', file: 'src/pay.ts', line: 3, column: 5, inApplication: true, context },
      { function: 't', file: 'node:internal/timers', line: 1, column: 5, inApplication: true, context: null },
    ]);
    expect(payload.frames[0]).toEqual({
      function: 't',
      file: BUILT,
      line: 1,
      column: 4,
      inApplication: true,
    });
    const [listed] = (await user.api.get(`/events?project_id=${project.id}`)).body;
    expect(listed.payload).toEqual(payload);
  });

  it('names functions as their callers call them', async () => {
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: { ...MAP, sourcesContent: null, sources: ['node_modules/pay/index.js'] } });
    const stored = await send(project, errorOf([image(BUILT, ID)], [frame(BUILT, 11), frame(BUILT, 1)]));
    const { frames: sourceFrames } = await mapped(stored.id);
    const file = 'node_modules/pay/index.js';
    const library = { file, inApplication: false, context: null };
    expect(sourceFrames).toEqual([
      { ...library, function: 'charge', line: 1, column: 1 },
      { ...library, function: 't', line: 3, column: 5 },
    ]);
  });

  it('maps frames anew once another map of the same file is uploaded', async () => {
    const project = await createDsnProject(service, user);
    const stored = await send(project, errorOf([image(BUILT, ID)], [frame(BUILT, 1)]));
    expect(stored.frames[0].file).toBe(BUILT);
    await upload(project, { [ID]: MAP });
    expect((await mapped(stored.id)).frames[0].file).toBe('src/pay.ts');
    await upload(project, { [ID]: { ...MAP, sources: ['src/moved.ts'] } });
    await waitFor('the other map', async () => (await mapped(stored.id)).frames[0].file === 'src/moved.ts');
  });

  it('waits for no upload that replaces a map', async () => {
    const { pool } = service.database;
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: MAP });
    const own = [toUuid('proj', project.id)];
    await pool.query(
      "UPDATE source_maps SET used_at = used_at - interval '2 days' WHERE project_id = $1",
      own,
    );
    const stored = await send(project, errorOf([image(BUILT, ID)], [frame(BUILT, 1)]));
    await pool.query(
      "UPDATE source_maps SET used_at = used_at - interval '2 days' WHERE project_id = $1",
      own,
    );
    const uploader = await beginHeldTransaction(pool);
    try {
      await uploader.query('DELETE FROM source_maps WHERE project_id = $1', own);
      expect((await mapped(stored.id)).frames[0].file).toBe('src/pay.ts');
    } finally {
      await uploader.query('ROLLBACK');
      uploader.release();
    }
    await read(stored.id);
    const noted = "SELECT FROM source_maps WHERE project_id = $1 AND used_at > now() - interval '1 day'";
    expect((await pool.query(noted, own)).rowCount).toBe(1);
  });

  it('maps the frames of its causes', async () => {
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: MAP });
    const thrown = {
      type: 'OrderError',
      value: 'The order failed.',
      stacktrace: { frames: [frame(CHUNK, 7)] },
    };
    const event = errorOf([image(BUILT, ID)], [frame(BUILT, 4), frame(BUILT, 11)]);
    const stored = await send(project, {
      ...event,
      exception: { values: [...event.exception.values, thrown] },
    });
    const { frames, causes } = await waitFor('a mapped cause', async () => {
      const read = (await user.api.get(`/events/${stored.id}`)).body;
      return read.causes[0].frames[0].file === BUILT ? null : read;
    });
    expect(frames).toMatchObject([{ file: CHUNK, line: 1, column: 7 }]);
    expect(causes).toMatchObject([
      {
        type: 'TypeError',
        value: 'card is undefined',
        frames: [{ line: 3 }, { line: 1, file: 'src/pay.ts' }],
      },
    ]);
    expect(stored.payload.causes[0].frames).toMatchObject([{ file: BUILT }, { file: BUILT }]);
  });

  it('maps no frame by a map of another project', async () => {
    const [project, other] = [await createDsnProject(service, user), await createDsnProject(service, user)];
    await upload(other, { [ID]: MAP });
    const theirs = await send(other, errorOf([image(BUILT, ID)], [frame(BUILT, 1)]));
    await mapped(theirs.id);
    const own = await send(project, errorOf([image(BUILT, ID)], [frame(BUILT, 1)]));
    expect(own.frames[0].file).toBe(BUILT);
  });

  it.each<[string, unknown]>([
    ['no JSON', Buffer.from('{"version":3')],
    ['no source map', { version: 3, mappings: 7, sources: null }],
    [
      'a map with mappings beyond its sources',
      { version: 3, mappings: 'AACA,AAAAA', sources: [], names: [] },
    ],
  ])('leaves frames as they were sent where the map is %s', async (_what, map) => {
    const project = await createDsnProject(service, user);
    expect((await upload(project, { [ID]: map })).body.state).toBe('ok');
    const stored = await send(project, errorOf([image(BUILT, ID)], [frame(BUILT, 1)]));
    expect(stored.frames[0].file).toBe(BUILT);
    expect((await read(stored.id)).frames).toEqual(stored.frames);
  });

  it('reads a map once that cannot be read', async () => {
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: Buffer.from('{"unreadable"') });
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    const mapper = new FrameMapper({ ...service.context, log });
    const { frames } = readBuiltStacks({
      debug_meta: { images: [image(BUILT, ID)] },
      frames: [{ file: BUILT, line: 1, column: 1 }],
    });
    const [organizationId, projectId] = [toUuid('org', user.organizationId), toUuid('proj', project.id)];
    const map = () =>
      mapper.map([{ projectId: projectId ?? '', frames }], { organizationId: organizationId ?? '' });
    await waitFor('an attempt', async () => {
      await map();
      return lines.length === 1;
    });
    expect(await map()).toMatchObject([[{ file: BUILT }]]);
    expect(lines).toHaveLength(1);
  });

  it('leaves frames as they were sent where the payload has another shape', async () => {
    const project = await createDsnProject(service, user);
    await upload(project, { [ID]: MAP });
    const payload = {
      debug_meta: { images: [null, 7, image(BUILT, ID), { ...image(BUILT, 'x'), code_file: 5 }] },
      frames: [null, 'a', { file: BUILT, line: -1, column: 1e300 }, { file: BUILT, line: '1' }, { file: 7 }],
    };
    const event = { type: 'a', severity: 'ERROR', message: 'A', payload };
    expect((await project.ingest.post('/ingest/events', event)).status).toBe(202);
    const [stored] = await project.events(1);
    const built = { function: null, file: BUILT, inApplication: false, context: null };
    expect(stored.frames).toEqual([
      { ...built, line: -1, column: null },
      { ...built, line: null, column: null },
    ]);
  });

  it('keeps the debug ids of 100 files', async () => {
    const project = await createDsnProject(service, user);
    const images = Array.from({ length: 101 }, (_, index) => image(`https://shop.example/${index}.js`, ID));
    const { payload, changed } = await send(project, errorOf(images, [frame(BUILT, 1)]));
    expect([payload.debug_meta.images.length, changed]).toEqual([100, ['fields']]);
  });
});
