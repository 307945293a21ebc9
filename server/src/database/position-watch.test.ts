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
    reachedMs: null,
  };
  let nowMs = 0;
  const rewinds: Rewind[] = [];
  const watch = new PositionWatch({
    clock: { now: () => nowMs },
    monotonicMs: () => nowMs,
    onRewind: (rewind) => rewinds.push(rewind),
    seen,
  });
  const connect = (changes: Partial<FoundPosition> = {}) => {
    Object.assign(server, changes);
    const query = async () => ({ rows: [{ ...server }] });
    return watch.check({ query } as never);
  };
  return { watch, connect, rewinds, advance: (ms: number) => void (nowMs += ms) };
}

const PROMOTED = { timeline: 2, startedAt: 'Tuesday' };

describe('the watch of positions', () => {
  it('reports a promoted standby without the newest answered commit, once, with both times', async () => {
    const { watch, connect, rewinds, advance } = start();
    await connect();
    advance(10_000);
    watch.noteCommit(2_000);
    advance(5_000);
    await connect({ ...PROMOTED, recoveredTo: 1_900, position: 9_000, reachedMs: 8_000 });
    expect(rewinds).toEqual([{ untilMs: 10_000, fromMs: 8_000, noticedMs: 15_000 }]);
    await connect({ position: 9_100 });
    watch.noteCommit(9_200);
    await connect({ position: 9_300 });
    expect(rewinds).toHaveLength(1);
  });

  it('takes a promoted standby that has all answered commits, whatever else is lost', async () => {
    const { watch, connect, rewinds } = start();
    await connect({ position: 5_000 });
    watch.noteCommit(2_000);
    await connect({ ...PROMOTED, recoveredTo: 2_001, position: 2_500 });
    watch.noteCommit(2_600);
    await connect({ timeline: 3, startedAt: 'Wednesday', recoveredTo: null, position: 2_700 });
    expect(rewinds).toEqual([]);
  });

  it('takes a restarted server, and reports one whose log ends earlier than before', async () => {
    const { watch, connect, rewinds } = start();
    await connect();
    watch.noteCommit(2_000);
    await connect({ startedAt: 'Tuesday', position: 2_100 });
    watch.noteCommit(2_200);
    await connect({ startedAt: 'Wednesday', recoveredTo: 2_300, position: 2_400 });
    watch.noteCommit(2_500);
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
    const { watch, connect, rewinds } = start();
    await connect();
    const asked = connect({ position: 2_000 });
    watch.noteCommit(2_100);
    await asked;
    expect(rewinds).toEqual([]);
  });

  it('refuses an earlier timeline, reports it once it stays, and takes it once it is accepted', async () => {
    const { watch, connect, rewinds, advance } = start();
    await connect(PROMOTED);
    watch.noteCommit(2_000);
    const old = { timeline: 1, startedAt: 'Monday', position: 9_000 };
    for (const at of [0, 1_000]) {
      advance(at);
      await expect(connect(old)).rejects.toMatchObject({ name: 'EarlierTimelineError' });
    }
    await connect(PROMOTED);
    expect(rewinds).toEqual([]);
    for (const at of [1_000, 1_000, 1_000, 1_000]) {
      await expect(connect(old)).rejects.toThrow('tocsin accept-database');
      advance(at);
    }
    expect(rewinds).toHaveLength(1);
    await connect({ ...old, acceptedMs: 5 });
    await connect();
    expect(rewinds).toHaveLength(1);
  });

  it('compares no positions of different clusters, and takes an acceptance from before the first connection', async () => {
    const { watch, connect, rewinds } = start();
    await connect({ acceptedMs: 5 });
    watch.noteCommit(2_000);
    await connect({ system: '8', position: 10 });
    watch.noteCommit(20);
    await connect({ position: 15, startedAt: 'Tuesday', acceptedMs: 6 });
    expect(rewinds).toEqual([]);
  });

  it('asks transactions for their position once a second, and not while commits of events tell it', async () => {
    const { watch, connect, advance } = start();
    expect(watch.isDue).toBe(false);
    await connect();
    expect(watch.isDue).toBe(true);
    watch.noteCommit(2_000);
    advance(999);
    expect(watch.isDue).toBe(false);
    advance(1);
    expect(watch.isDue).toBe(true);
  });

  it('knows nothing of a server that tells no positions', async () => {
    const { watch } = start();
    const refusal = Object.assign(new Error('not supported'), { code: '0A000', severity: 'ERROR' });
    await watch.check({ query: () => Promise.reject(refusal) } as never);
    watch.noteCommit(1);
    expect([watch.isKnown, watch.seen]).toEqual([false, null]);
  });
});
