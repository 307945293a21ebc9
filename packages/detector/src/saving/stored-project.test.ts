import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { ProjectDetector } from '../project/project-detector.ts';
import { UP } from '../state/side.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { fromStored, type StoredProject, toStored } from './stored-project.ts';

/** A project with one incident, of all events and of the errors in `web`. */
function stored(): StoredProject {
  const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  detector.count({
    type: 'http',
    severity: 'error',
    source: 'web',
    bucketMs: START_MS,
    count: 500,
    lastMs: START_MS,
  });
  detector.evaluatePartialStep();
  return toStored(detector.save());
}

describe('a stored project', () => {
  it('keeps the series of its incidents and what they differ by', () => {
    const saved = JSON.parse(JSON.stringify(stored())) as StoredProject;
    expect(fromStored(saved).incidents.open.incidents).toMatchObject([
      {
        number: 1,
        side: UP,
        members: [
          { kind: 'events', type: 'http', severity: 'error', source: 'web' },
          { kind: 'errors', type: null, severity: null, source: null },
        ],
        excess: { sum: expect.closeTo(500, -1), single: expect.closeTo(500, -1) },
      },
    ]);
  });

  it('reads the series of an incident that an earlier program stored by the subjects of its alarms', () => {
    const { desk, ...rest } = stored();
    const rule = 'rule:["boom","critical",null,3,5]';
    const incidents = desk.book.incidents.map(({ members, excess, ...earlier }) => {
      expect([members, excess]).toHaveLength(2);
      return { ...earlier, series: ['1', 'beats:1', rule, 'kinds', '99'] };
    });
    const restored = fromStored({ ...rest, desk: { ...desk, book: { ...desk.book, incidents } } });
    expect(restored.incidents.open.incidents).toMatchObject([
      {
        members: [
          { kind: 'events', type: 'http', severity: 'error', source: 'web' },
          { kind: 'events', type: 'http', severity: 'error', source: 'web' },
          { kind: 'rule', type: 'boom', severity: 'critical', source: null },
        ],
        excess: { sum: 0, single: 0 },
      },
    ]);
  });
});
