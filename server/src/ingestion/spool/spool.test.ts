import { appendFile, mkdir, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { adoptFolders } from './folder.ts';
import type { SpoolLimits } from './limits.ts';
import { decodeRecord, encodeRecord, type SpoolRecord } from './record.ts';
import { Spool } from './spool.ts';

const ID = '0190a000-0000-7000-8000-00000000000';
const LIMITS: SpoolLimits = {
  maxBytes: 100_000,
  maxPendingBytes: 50_000,
  segmentBytes: 1_000,
  minFreeBytes: 10,
};

function aRecord(message = 'Order 1', claimKey = 'sentry:1', project = 1): SpoolRecord {
  return {
    receivedAt: '2026-11-27T01:00:00.000Z',
    item: {
      projectId: `${ID}${project}`,
      keyId: `${ID}2`,
      events: [JSON.stringify({ id: `${ID}3`, message })],
      claim: { key: claimKey, jobId: `${ID}3`, answer: null },
    },
  };
}

const bytes = Buffer.byteLength(encodeRecord(aRecord()));

/** Appends a record of each project at once. @returns which of them were kept */
async function appendEach(spool: Spool, projects: number[]): Promise<boolean[]> {
  const results = await Promise.allSettled(
    projects.map((project) => spool.append(aRecord('Order 1', 'sentry:1', project))),
  );
  return results.map(({ status }) => status === 'fulfilled');
}

describe('decodeRecord', () => {
  it.each(['Order 1', 'a\nb\r\n\u2028', '\ud800 alone', '😀', 'x'.repeat(100_000), '\\u0000 \u0000'])(
    'reads a record as it was written: %.20j',
    (message) => {
      const line = encodeRecord(aRecord(message));
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(decodeRecord(line.slice(0, -1))).toEqual(aRecord(message));
    },
  );

  it.each<[string, (line: string) => string]>([
    ['cut off', (line) => line.slice(0, 40)],
    ['empty', () => ''],
    ['changed in a byte', (line) => line.replace('Order', 'Orden')],
    ['without its checksum', (line) => line.slice(9)],
  ])('reads no record from a line that is %s', (_what, damage) => {
    expect(decodeRecord(damage(encodeRecord(aRecord()).slice(0, -1)))).toBeNull();
  });

  it('reads no record without events or a check-in, or with an event without an id', () => {
    const record = aRecord();
    record.item.events = [];
    expect(decodeRecord(encodeRecord(record).trimEnd())).toBeNull();
    const checkIn = { slug: 'hourly', status: 'ok', runId: null, declared: { cron: '0 * * * *' } } as const;
    expect(decodeRecord(encodeRecord({ ...record, checkIn }).trimEnd())).toEqual({ ...record, checkIn });
    const later = { ...record, item: { ...record.item, events: ['{"id":"no uuid"}'] } };
    expect(decodeRecord(encodeRecord(later).trimEnd())).toBeNull();
  });
});

describe('the spool', () => {
  let directory: string;
  let freeBytes = 1_000;
  let beforeRead = async () => {};
  const open: Spool[] = [];

  beforeEach(async () => {
    directory = join(await makeScratchDirectory(), 'spool');
    await mkdir(directory);
    [freeBytes, beforeRead] = [1_000, async () => {}];
  });
  afterEach(async () => {
    for (const spool of open.splice(0)) await spool.close();
    await rm(dirname(directory), { recursive: true });
  });

  function start(limits: Partial<SpoolLimits> = {}): Spool {
    const spool = new Spool({
      directory,
      limits: { ...LIMITS, ...limits },
      clock: systemClock,
      readFreeBytes: async () => {
        await beforeRead();
        return freeBytes;
      },
    });
    open.push(spool);
    return spool;
  }

  async function readAll(): Promise<(SpoolRecord | null)[]> {
    const records: (SpoolRecord | null)[] = [];
    for (const folder of await readdir(directory))
      for (const name of (await readdir(join(directory, folder)))
        .filter((found) => found !== 'owner')
        .toSorted())
        for (const line of (await readFile(join(directory, folder, name), 'utf8')).trimEnd().split('\n'))
          records.push(decodeRecord(line));
    return records;
  }

  it('holds a record on disk once append has resolved', async () => {
    const spool = start();
    await spool.append(aRecord());
    expect(await readAll()).toEqual([aRecord()]);
    expect(spool.waiting).toMatchObject({ events: 1 });
  });

  it('writes many records in their order, in segments of a bounded size', async () => {
    const spool = start();
    const records = Array.from({ length: 20 }, (_, index) => aRecord(`Order ${index}`));
    await Promise.all(records.slice(0, 10).map((record) => spool.append(record)));
    for (const record of records.slice(10)) await spool.append(record);
    expect(await readAll()).toEqual(records);
    const names = await readdir(spool.folder ?? '');
    expect(names.length).toBeGreaterThan(3);
    expect(spool.waiting.events).toBe(20);
  });

  it('refuses a record that has no room, counting those that are being written', async () => {
    const spool = start({ maxBytes: 5 * bytes });
    expect(await appendEach(spool, [1, 2, 3, 1, 2, 3])).toEqual([true, true, true, true, true, false]);
    expect(spool.waiting.bytes).toBe(5 * bytes);
  });

  it('lets a project fill half of it, and takes what another one sends', async () => {
    const spool = start({ maxBytes: 6 * bytes });
    expect(await appendEach(spool, [1, 1, 1, 1, 2])).toEqual([true, true, true, false, true]);
    expect(await appendEach(spool, [1, 2, 2, 2])).toEqual([false, true, true, false]);
  });

  it('bounds what waits for the disk, by project as well, and takes a large record by itself', async () => {
    const spool = start({ maxPendingBytes: 4 * bytes });
    expect(await appendEach(spool, [1, 1, 1, 2, 2, 2])).toEqual([true, true, false, true, true, false]);
    expect(await appendEach(spool, [1, 2, 3, 4, 5])).toEqual([true, true, true, true, false]);
    const large = spool.append(aRecord('x'.repeat(5 * bytes)));
    expect(await appendEach(spool, [2])).toEqual([false]);
    await large;
    expect(await appendEach(spool, [2])).toEqual([true]);
  });

  it('divides what waited for the disk together into segments', async () => {
    const spool = start({ segmentBytes: 2 * bytes });
    expect(await appendEach(spool, [1, 1, 1, 1, 1, 1, 1, 1, 1])).not.toContain(false);
    const segments = (await readdir(spool.folder ?? '')).filter((name) => name !== 'owner');
    expect(segments).toHaveLength(4);
  });

  it('refuses while the disk is nearly full, and accepts again afterwards', async () => {
    const spool = start();
    freeBytes = 9;
    await expect(spool.append(aRecord())).rejects.toThrow('The disk is nearly full.');
    freeBytes = 10;
    await spool.append(aRecord());
    expect(await readAll()).toEqual([aRecord()]);
  });

  it('refuses where the directory cannot be written, and accepts once it can', async () => {
    const spool = start();
    await rm(directory, { recursive: true });
    await appendFile(directory, 'a file in its place');
    await expect(spool.append(aRecord())).rejects.toThrow('The spool could not be written.');
    await rm(directory);
    await spool.append(aRecord());
    expect(await readAll()).toEqual([aRecord()]);
  });

  it('writes a record again if its folder was adopted before the answer', async () => {
    const spool = start();
    await spool.append(aRecord('first'));
    const folder = spool.folder ?? '';
    let adoptions = 0;
    beforeRead = async () => {
      if (adoptions++ === 0) await rename(folder, join(directory, 'adopted'));
    };
    await spool.append(aRecord('second'));
    expect(spool.folder).not.toBe(folder);
    const ofOwn = await readFile(join(spool.folder ?? '', '00000002.spool'), 'utf8');
    expect(decodeRecord(ofOwn.trimEnd())).toEqual(aRecord('second'));
  });

  it('leaves no folder behind if nothing waits at its end', async () => {
    const spool = start();
    await spool.append(aRecord());
    const segment = await spool.oldest();
    await rm(segment?.path ?? '');
    if (segment) spool.forget(segment);
    await spool.close();
    expect(await readdir(directory)).toEqual([]);
  });

  describe('folder of a process that ended', () => {
    const adopt = async () => adoptFolders(directory, new Set(), systemClock.now());

    it('keeps what waits, and finds a new owner at once, after an orderly end', async () => {
      const spool = start();
      await spool.append(aRecord());
      await spool.close();
      expect(await adopt()).toHaveLength(1);
      expect(await readAll()).toEqual([aRecord()]);
    });

    it('finds one owner alone', async () => {
      const spool = start();
      await spool.append(aRecord());
      await spool.close();
      const adopted = await Promise.all([adopt(), adopt()]);
      expect(adopted.flat()).toHaveLength(1);
    });

    it('stays with an owner that shows that it lives, and finds a new one a minute after it last did', async () => {
      const spool = start();
      await spool.append(aRecord());
      expect(await adopt()).toEqual([]);
      const then = systemClock.now() / 1_000 - 61;
      await utimes(join(spool.folder ?? '', 'owner'), then, then);
      expect(await adopt()).toHaveLength(1);
    });
  });
});
