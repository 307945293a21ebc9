import { expect, it } from 'vitest';
import { ArchiveError } from './archive-error.ts';
import { RememberedArchive } from './archive-memory.ts';

const LIMITS = { maxRunMs: 1_000 };

/** An archive with one event, whose errors and time are set by a test. */
function remembered() {
  const state = { nowMs: 0, asked: 0, oldestMs: 1_000, error: null as ArchiveError | null };
  const query = async <Row>() => {
    state.asked++;
    if (state.error) throw state.error;
    return [{ events: 1, ms: state.oldestMs }] as Row[];
  };
  return { state, archive: new RememberedArchive({ query }, () => state.nowMs) };
}

it('refuses statements for 10 seconds after one without an answer', async () => {
  const { state, archive } = remembered();
  const ask = () => archive.query('SELECT 1', {}, LIMITS);
  state.error = new ArchiveError('It does not answer.', { isSilent: true });
  await expect(ask()).rejects.toThrow(state.error);
  state.nowMs = 9_999;
  await expect(ask()).rejects.toThrow(state.error);
  expect(state.asked).toBe(1);
  state.nowMs = 10_000;
  state.error = null;
  expect(await ask()).toHaveLength(1);
});

it('asks again after an answer that refuses a statement', async () => {
  const { state, archive } = remembered();
  state.error = new ArchiveError('It takes too long.', { isSlow: true });
  await expect(archive.query('SELECT 1', {}, LIMITS)).rejects.toThrow(state.error);
  state.error = null;
  expect(await archive.query('SELECT 1', {}, LIMITS)).toHaveLength(1);
});

it('keeps the time of the oldest event for a minute, or until events move', async () => {
  const { state, archive } = remembered();
  expect(await archive.findOldestMs(1, LIMITS)).toBe(1_000);
  state.oldestMs = 500;
  state.nowMs = 59_999;
  expect(await archive.findOldestMs(1, LIMITS)).toBe(1_000);
  expect(await archive.findOldestMs(2, LIMITS)).toBe(500);
  state.oldestMs = 2_000;
  state.nowMs += 60_000;
  expect(await archive.findOldestMs(2, LIMITS)).toBe(2_000);
});
