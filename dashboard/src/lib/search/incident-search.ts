import type { Status } from '../api-types.ts';

/** Orders, by their names in `GET /incidents`. */
export type IncidentSort = 'newest' | 'severity';
export type StatusChoice = Status | 'all';

/** Parameters of the incidents page besides the scope. */
export interface IncidentSearch {
  /** Default: open. */
  status?: StatusChoice | undefined;
  /** Text that the incidents contain. */
  q?: string | undefined;
  /** Default: newest. */
  sort?: IncidentSort | undefined;
  /** True if the dialog that creates an incident is open. */
  create?: true | undefined;
}

export const STATUS_CHOICES = ['open', 'investigating', 'resolved', 'all'] as const satisfies StatusChoice[];

export function readIncidentSearch({ status, create, q, sort }: Record<string, unknown>): IncidentSearch {
  const choice = STATUS_CHOICES.find((known) => known === status);
  const hasText = (typeof q === 'string' && q !== '') || typeof q === 'number';
  return {
    ...(choice && { status: choice }),
    ...(hasText && { q: String(q) }),
    ...(sort === 'severity' && { sort }),
    ...(create === true && { create }),
  };
}
