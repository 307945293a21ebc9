import { seedsOf } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { longForm } from '../../../server/test/support/test-length.ts';
import { SCENARIOS } from '../scenarios.ts';
import type { LoggedAlarm } from './incident-log.ts';
import { type Histories, runScenario } from './run-scenario.ts';

/** Troubles of the shop in which most alarms open. */
const SHORT = ['1', '2', '8', '9', '20'];
/** Days before the trouble in the short form: enough for thresholds by the time of day. */
const SHORT_HISTORY_DAYS = 5;
const scenarios = longForm
  ? SCENARIOS
  : SCENARIOS.filter(({ id }) => SHORT.includes(id)).map((scenario) => ({
      ...scenario,
      historyDays: SHORT_HISTORY_DAYS,
    }));
/** Counts of a longer time are reported without its beginning. */
const MAX_TOLD_MINUTES = 30;

/** True for counts that are reported since a minute; a silence begins with the last event instead. */
function hasBeginning({ anomaly: { rule, windowMinutes } }: LoggedAlarm): boolean {
  const isCounted =
    rule === 'rise' || rule === 'drop' || rule === 'error_share' || rule === 'failed_payments';
  return isCounted && windowMinutes < MAX_TOLD_MINUTES;
}

describe('beginnings of alarms', () => {
  const histories: Histories = new Map();
  const [seed = 1] = seedsOf('report', 1);

  it.each(scenarios)('begins no alarm before its trouble: $title', (scenario) => {
    const alarms = runScenario(scenario, seed, histories).flatMap((incident) => incident.alarms);
    const beginnings = alarms
      .filter(hasBeginning)
      .map(({ minute, anomaly }) => minute - anomaly.windowMinutes);
    expect(beginnings.filter((beginning) => beginning < 0)).toEqual([]);
  });
});
