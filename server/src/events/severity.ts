import { type Static, Type } from 'typebox';

/** From the mildest to the worst; the database's type has the same order. */
export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;
export const Severity = Type.Enum([...SEVERITIES]);
export type Severity = Static<typeof Severity>;

export function isErrorOrWorse(severity: Severity): boolean {
  return severity === 'error' || severity === 'critical';
}

export function worst(left: Severity, right: Severity): Severity {
  return SEVERITIES.indexOf(left) > SEVERITIES.indexOf(right) ? left : right;
}
export const NullableSeverity = Type.Unsafe<Severity | null>({ enum: [...SEVERITIES, null] });
