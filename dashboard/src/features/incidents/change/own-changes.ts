import type { Incident, Status } from '../../../lib/api-types.ts';

/** Statuses that this page has requested, by the id of their incident. */
const asked = new Map<string, Status>();

/** Remembers that a coming change is this page's own and no news to its user. */
export function rememberOwnChange(incidentId: string, to: Status): void {
  asked.set(incidentId, to);
}

export function isOwnChange({ id, status }: Pick<Incident, 'id' | 'status'>): boolean {
  return asked.get(id) === status;
}
