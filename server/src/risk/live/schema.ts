import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';

/** Current state of a project's detection. */
export const RiskState = Type.Object({
  paused: Type.Unsafe<{ failedAt: string; retryAt: string; failures: number } | null>({
    ...Type.Object({
      failedAt: Timestamp,
      retryAt: Timestamp,
      failures: Type.Integer({
        description: 'Failures in a row; each doubles the time until the next attempt.',
      }),
    }),
    type: ['object', 'null'],
    description:
      'Set while the project is not evaluated, because its detector failed: events are stored, charted and not evaluated until `retryAt`; then detection is reset.',
  }),
  lateSources: Type.Array(
    Type.Object({
      source: Nullable(Type.String()),
      behindSeconds: Type.Integer(),
      since: Timestamp,
    }),
    {
      description:
        'Sources whose events arrive late by a nearly constant time: their clock is behind, or they deliver late. They are evaluated by the time of receipt.',
    },
  ),
});
export type RiskState = Static<typeof RiskState>;
