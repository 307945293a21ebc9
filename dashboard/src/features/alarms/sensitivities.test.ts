import { expect, it } from 'vitest';
import { nameSensitivity } from './sensitivities.ts';
import { texts } from './texts.ts';

it('names three numbers of false alarms a week, and any other one custom', () => {
  expect([0.2, 1, 5, 0.25, 4.99].map(nameSensitivity)).toEqual(['Low', 'Normal', 'High', 'Custom', 'Custom']);
});

it.each([
  [0.01, 'About 1 false alarm in 100 weeks'],
  [0.2, 'About 1 false alarm in 5 weeks'],
  [0.9, 'About 0.9 false alarms a week'],
  [1, 'About 1 false alarm a week'],
  [2.5, 'About 2.5 false alarms a week'],
  [5, 'About 5 false alarms a week'],
])('describes %d false alarms a week as "%s"', (budget, text) => {
  expect(texts.settings.falseAlarms(budget)).toBe(text);
});
