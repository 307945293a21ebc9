import { type Static, Type } from 'typebox';
import { SEVERITIES } from './severities.ts';

export const Severity = Type.Enum([...SEVERITIES]);
export type Severity = Static<typeof Severity>;

export function isErrorOrWorse(severity: Severity): boolean {
  return severity === 'error' || severity === 'critical';
}

export function worst(left: Severity, right: Severity): Severity {
  return SEVERITIES.indexOf(left) > SEVERITIES.indexOf(right) ? left : right;
}
export const NullableSeverity = Type.Unsafe<Severity | null>({ enum: [...SEVERITIES, null] });
