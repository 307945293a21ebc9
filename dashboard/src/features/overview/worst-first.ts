import type { Incident } from '../../lib/api-types.ts';

/** How many incidents the overview shows, as long as no more of them are critical. */
export const INCIDENTS_SHOWN = 6;

/**
 * The unresolved incidents that the overview shows: the worst first, open ones above those being investigated, and
 * every critical one however many there are.
 * @param open the worst first, of equal ones the newest
 * @param investigating likewise
 */
export function chooseShown(open: Incident[], investigating: Incident[]): Incident[] {
  const all = [...open, ...investigating];
  const isCritical = ({ severity }: Incident) => severity === 'critical';
  let room = INCIDENTS_SHOWN - all.filter(isCritical).length;
  return all.filter((incident) => isCritical(incident) || room-- > 0);
}
