import type { Incident } from '../../lib/api-types.ts';

/** Number of incidents that the overview shows, unless more are critical. */
export const INCIDENTS_SHOWN = 6;

/**
 * Returns the unresolved incidents that the overview shows: the worst first, open ones above those under investigation, and
 * all critical ones.
 * @param open the worst first, the newest first among equals
 * @param investigating likewise
 */
export function chooseShown(open: Incident[], investigating: Incident[]): Incident[] {
  const all = [...open, ...investigating];
  const isCritical = ({ severity }: Incident) => severity === 'critical';
  let room = INCIDENTS_SHOWN - all.filter(isCritical).length;
  return all.filter((incident) => isCritical(incident) || room-- > 0);
}
