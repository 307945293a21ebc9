import type { Status } from './api-types.ts';

export type StatusChoice = Status | 'all';

/** The parameters of the incidents page besides the scope. */
export interface IncidentSearch {
  /** Default: open. */
  status?: StatusChoice | undefined;
  /** The dialog that creates an incident is open. */
  create?: true | undefined;
}

const CHOICES = ['open', 'investigating', 'resolved', 'all'] as const satisfies StatusChoice[];

export function readIncidentSearch({ status, create }: Record<string, unknown>): IncidentSearch {
  const choice = CHOICES.find((known) => known === status);
  return { ...(choice && { status: choice }), ...(create === true && { create }) };
}
