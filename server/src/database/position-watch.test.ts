import { describe, expect, it } from 'vitest';
import type { FoundPosition } from './position-queries.ts';
import { PositionWatch, type Rewind, type SeenPosition } from './position-watch.ts';

/** A watch whose next connections meet the server that the test describes. */
function start(seen: SeenPosition | null = null) {
  const server: FoundPosition = {
    system: '7',
    timeline: 1,
    position: 1_000,
    recoveredTo: null,
    startedAt: 'Monday',
    acceptedMs: 0,
    replayedMs: null,
    toldMs: null,
  };
  let nowMs = 0;
  const rewinds: Rewind[] = [];
  const taken: Rewind[] = [];
  const watch = new PositionWatch({
    clock: { now: () => nowMs },
    monotonicMs: () => nowMs,
    onRewind: (rewind) => rewinds.push(rewind),
    onTaken: (rewind) => taken.push(rewind),
    seen,
  });
  let client = {};
  const connect = async (changes: Partial<FoundPosition> = {}) => {
    Object.assign(server, changes);
    const next = { query: async () => ({ rows: [{ ...server }] }) };
    await watch.check(next as never);
    client = next;
    return next;
  };
  const noteCommit = (position: number, of: object = client) => watch.noteCommit(position, of);
  return { watch, connect, noteCommit, rewinds, taken, advance: (ms: number) => void (nowMs += ms) };
}

const PROMOTED = { timeline: 2, startedAt: 'Tuesday' };

describe('the watch of positions', () => {
  it('reports a promoted standby without the newest answered commit, once, with both times', async () => {
    const { connect, rewinds, advance, noteCommit } = start();
    await connect();
    advance(10_000);
    noteCommit(2_000);
    advance(5_000);
    await connect({ ...PROMOTED, recoveredTo: 1_900, position: 9_000, replayedMs: 8_000, toldMs: 9_000 });
    expect(rewinds).toEqual([{ untilMs: 10_000, fromMs: 8_000, noticedMs: 15_000 }]);
    await connect({ position: 9_100 });
    noteCommit(9_200);
    await connect({ position: 9_300 });
    expect(rewinds).toHaveLength(1);
  });

  it('takes a promoted standby that has all answered commits, whatever else is lost', async () => {
    const { connect, rewinds, noteCommit } = start();
    await connect({ position: 5_000 });
    noteCommit(2_000);
    await connect({ ...PROMOTED, recoveredTo: 2_001, position: 2_500 });
    noteCommit(2_600);
    await connect({ timeline: 3, startedAt: 'Wednesday', recoveredTo: null, position: 2_700 });
    expect(rewinds).toEqual([]);
  });

  it('takes a restarted server, and reports one whose log ends earlier than before', async () => {
    const { connect, rewinds, noteCommit } = start();
    await connect();
    noteCommit(2_000);
    await connect({ startedAt: 'Tuesday', position: 2_100 });
    noteCommit(2_200);
    await connect({ startedAt: 'Wednesday', recoveredTo: 2_300, position: 2_400 });
    noteCommit(2_500);
    expect(rewinds).toEqual([]);
    await connect({ startedAt: 'Thursday', recoveredTo: 2_400, position: 3_000 });
    expect(rewinds).toHaveLength(1);
  });

  it('reports at its first connection that the server lacks what the process before has seen', async () => {
    const seen = { system: '7', timeline: 1, startedAt: 'Sunday', acceptedMs: 0, position: 2_000, atMs: 5 };
    const { connect, rewinds } = start(seen);
    await connect();
    expect(rewinds).toMatchObject([{ untilMs: 5 }]);
  });

  it('reports nothing where a commit is answered while the server is asked', async () => {
    const { connect, rewinds, noteCommit } = start();
    await connect();
    const asked = connect({ position: 2_000 });
    noteCommit(2_100);
    await asked;
    expect(rewinds).toEqual([]);
  });

  it('refuses a standby, and compares the primary that it becomes', async () => {
    const { watch, connect, noteCommit, rewinds } = start();
    await connect();
    noteCommit(2_000);
    const standby = { query: async () => ({ rows: [] }) };
    await expect(watch.check(standby as never)).rejects.toThrow('is a standby');
    await connect({ ...PROMOTED, recoveredTo: 1_900, position: 9_000 });
    expect(rewinds).toHaveLength(1);
  });

  it('refuses an earlier timeline, reports it once it stays, and takes it once it is accepted', async () => {
    const { connect, noteCommit, rewinds, taken, advance } = start();
    await connect(PROMOTED);
    noteCommit(2_000);
    const old = { timeline: 1, startedAt: 'Monday', position: 9_000 };
    for (const at of [0, 1_000]) {
      advance(at);
      await expect(connect(old)).rejects.toMatchObject({ name: 'RefusedServerError' });
    }
    await connect(PROMOTED);
    expect(rewinds).toEqual([]);
    for (const at of [1_000, 1_000, 1_000, 1_000]) {
      await expect(connect(old)).rejects.toThrow('tocsin accept-database');
      advance(at);
    }
    expect([rewinds.length, taken.length]).toEqual([1, 0]);
    await connect({ ...old, acceptedMs: 5 });
    await connect();
    expect(taken).toEqual(rewinds);
    expect(rewinds).toHaveLength(1);
  });

  it('reports the loss of a server that was refused and is promoted once', async () => {
    const { connect, noteCommit, rewinds, taken, advance } = start();
    await connect(PROMOTED);
    noteCommit(2_000);
    const old = { timeline: 1, startedAt: 'Monday', position: 1_500 };
    await expect(connect(old)).rejects.toThrow('earlier timeline');
    advance(2_000);
    await expect(connect(old)).rejects.toThrow('earlier timeline');
    await connect({ ...old, timeline: 3, recoveredTo: 1_600, position: 1_700 });
    expect(rewinds).toHaveLength(1);
    expect(taken).toEqual(rewinds);
  });

  it.each([
    ['reports', {}, 1],
    ['accepts', { acceptedMs: 5 }, 0],
  ])('%s a machine that was set back as it ran, and goes on from there', async (_does, acceptance, count) => {
    const { connect, noteCommit, rewinds } = start();
    await connect();
    noteCommit(2_000);
    await connect({ position: 1_500, ...acceptance });
    await connect({ position: 1_600 });
    expect(rewinds).toHaveLength(count);
    noteCommit(1_700);
    await connect({ position: 1_650 });
    expect(rewinds).toHaveLength(count + 1);
  });

  it('drops the loss of a refused server once it meets the database again, and reports the next refusal', async () => {
    const { connect, noteCommit, rewinds, taken, advance } = start();
    await connect(PROMOTED);
    noteCommit(2_000);
    const meetOld = () =>
      expect(connect({ timeline: 1, startedAt: 'Monday' })).rejects.toThrow('earlier timeline');
    for (const count of [1, 2]) {
      await meetOld();
      advance(2_000);
      await meetOld();
      expect(rewinds).toHaveLength(count);
      await connect({ ...PROMOTED, position: 3_000 });
    }
    await connect({ ...PROMOTED, acceptedMs: 5 });
    expect(taken).toEqual([]);
  });

  it('reports a refused server at once where a process before has seen the later one', async () => {
    const seen = {
      system: '7',
      timeline: 2,
      startedAt: 'Sunday',
      acceptedMs: 0,
      position: 2_000,
      atMs: 5_000,
    };
    const { connect, rewinds, taken } = start(seen);
    const replayed = { replayedMs: 1_000, toldMs: 4_000 };
    await expect(connect(replayed)).rejects.toThrow('earlier timeline');
    expect(rewinds).toEqual([{ untilMs: 5_000, fromMs: 4_000, noticedMs: 0 }]);
    expect(taken).toEqual([]);
  });

  it('goes on with the open connections of a server that is accepted', async () => {
    const { watch, connect, noteCommit } = start();
    const open = await connect();
    await connect({ acceptedMs: 5 });
    noteCommit(2_000, open);
    expect(watch.seen).toMatchObject({ acceptedMs: 5, position: 2_000 });
  });

  it('notes no late answer of the server before', async () => {
    const { watch, connect, noteCommit } = start();
    const before = await connect();
    await connect(PROMOTED);
    noteCommit(9_000, before);
    expect(watch.seen).toMatchObject({ timeline: 2, position: 0 });
    noteCommit(2_000);
    expect(watch.seen).toMatchObject({ timeline: 2, position: 2_000 });
  });

  it('compares no positions of different clusters, and takes an acceptance from before the first connection', async () => {
    const { connect, rewinds, noteCommit } = start();
    await connect({ acceptedMs: 5 });
    noteCommit(2_000);
    await connect({ system: '8', position: 10 });
    noteCommit(20);
    await connect({ position: 15, startedAt: 'Tuesday', acceptedMs: 6 });
    expect(rewinds).toEqual([]);
  });

  it('asks transactions for their position once a second, ten times where they only read, and not while commits of events tell it', async () => {
    const { watch, connect, noteCommit, advance } = start();
    expect(watch.isDue).toBe(false);
    await connect();
    expect(watch.isDue).toBe(true);
    noteCommit(2_000);
    advance(999);
    expect(watch.isDue).toBe(false);
    advance(1);
    expect(watch.isDue).toBe(true);
    watch.noteQuestion();
    advance(99);
    expect(watch.isDue).toBe(false);
    advance(1);
    expect(watch.isDue).toBe(true);
  });

  it('fails a connection whose server was not compared', async () => {
    const { watch, connect } = start();
    await connect();
    for (const code of ['57014', '53200']) {
      const failure = Object.assign(new Error('not now'), { code, severity: 'ERROR' });
      await expect(watch.check({ query: () => Promise.reject(failure) } as never)).rejects.toBe(failure);
    }
    expect(watch.isKnown).toBe(true);
  });

  it('knows nothing of a server that tells no positions', async () => {
    const { watch } = start();
    const refusal = Object.assign(new Error('not supported'), { code: '0A000', severity: 'ERROR' });
    await watch.check({ query: () => Promise.reject(refusal) } as never);
    watch.noteCommit(1, {});
    expect([watch.isKnown, watch.seen]).toEqual([false, null]);
  });
});
