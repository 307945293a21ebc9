import { DOWN, type Side, UP } from '@tocsin/detector';
import type { RiskRule } from '../../incidents/evidence-schema.ts';

const FALLING: RiskRule[] = ['drop', 'silence'];
/** Rules that evaluate a rate. */
const RISING: RiskRule[] = ['rise', 'failed_payments', 'error_share'];

export function sideOf(rule: RiskRule): Side {
  return FALLING.includes(rule) ? DOWN : UP;
}

/** The rules by which a series may alarm again on this side. */
export function rulesOf(side: Side): RiskRule[] {
  return side === UP ? RISING : FALLING;
}
