import { type Static, Type } from 'typebox';

/** From the mildest to the worst; the database's type has the same order. */
export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;
export const Severity = Type.Enum([...SEVERITIES]);
export type Severity = Static<typeof Severity>;
export const NullableSeverity = Type.Unsafe<Severity | null>({ enum: [...SEVERITIES, null] });
