import { expect, it } from 'vitest';
import { toReleaseMarks } from './release-marks.ts';

const at = (minute: number) => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`;
const RANGE = { fromMs: Date.parse(at(0)), toMs: Date.parse(at(59)) };
const release = (version: string, minute: number | null, seenMinute = minute) => ({
  version,
  firstSeen: seenMinute === null ? null : at(seenMinute),
  projectId: 'proj_1',
  deployedAt: minute === null ? null : at(minute),
});
const deploy = (version: string, environment: string, minute: number) => ({
  release: version,
  environment,
  projectId: 'proj_1',
  deployedAt: at(minute),
  isWatched: true,
});

it('marks each reported deploy, and a release without one at its first event', () => {
  const marks = toReleaseMarks(
    [deploy('1.1', 'production', 20), deploy('1.1', 'staging', 5)],
    [release('1.2', 30), release('1.1', 5), release('1.0', 1), release('0.9', null)],
    RANGE,
  );
  expect(marks.map(({ release: version, environment, atMs }) => [version, environment, atMs])).toEqual([
    ['1.0', null, Date.parse(at(1))],
    ['1.1', 'staging', Date.parse(at(5))],
    ['1.1', 'production', Date.parse(at(20))],
    ['1.2', null, Date.parse(at(30))],
  ]);
});

it('marks a deploy in the range of a release whose first deploy was before it', () => {
  expect(toReleaseMarks([deploy('1.0', 'production', 20)], [], RANGE)).toMatchObject([
    { release: '1.0', environment: 'production', projectId: 'proj_1' },
  ]);
});

it('marks the first event of a release that was deployed only to unwatched environments', () => {
  const marks = toReleaseMarks(
    [
      { ...deploy('1.0', 'staging', 5), isWatched: false },
      { ...deploy('1.1', 'staging', 6), isWatched: false },
    ],
    [release('1.0', 5, 20), release('1.1', 6, null)],
    RANGE,
  );
  expect(
    marks.map(({ release: version, atMs, isDeploy, isWatched }) => [version, atMs, isDeploy, isWatched]),
  ).toEqual([
    ['1.0', Date.parse(at(5)), true, false],
    ['1.1', Date.parse(at(6)), true, false],
    ['1.0', Date.parse(at(20)), false, true],
  ]);
});

it('marks the first event of a release whose deploys were before the range', () => {
  const marks = toReleaseMarks([], [release('1.0', 5, 20)], { ...RANGE, fromMs: Date.parse(at(10)) });
  expect(marks).toMatchObject([{ release: '1.0', atMs: Date.parse(at(20)), isDeploy: false }]);
});

it('tells a reported deploy from a first event where no deploys of its project are listed', () => {
  const marks = toReleaseMarks(
    [],
    [release('1.0', 10), release('1.1', 20, 25), release('1.2', 30, null)],
    RANGE,
  );
  expect(marks.map(({ isDeploy }) => isDeploy)).toEqual([false, true, true]);
});
