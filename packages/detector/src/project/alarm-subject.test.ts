import { describe, expect, it } from 'vitest';
import { type AlarmSubject, isSameSubject, keyOf } from './alarm-subject.ts';

const rule = {
  name: null,
  field: null,
  percent: null,
  type: 'a:"b"',
  severity: 'error',
  source: null,
  events: 3,
  minutes: 5,
} as const;
const SUBJECTS: AlarmSubject[] = [
  { kind: 'series', index: 17 },
  { kind: 'heartbeat', index: 17 },
  { kind: 'rule', rule },
  { kind: 'rule', rule: { ...rule, minutes: 6 } },
  { kind: 'new-errors' },
];

describe('the subject of an alarm', () => {
  it('distinguishes each subject of an alarm from every other', () => {
    for (const left of SUBJECTS) {
      for (const right of SUBJECTS) {
        expect(isSameSubject(left, right)).toBe(left === right);
        expect(keyOf(left) === keyOf(right)).toBe(left === right);
      }
    }
  });
});
