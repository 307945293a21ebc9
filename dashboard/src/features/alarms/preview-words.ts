import type { Preview } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';

/** Which incidents the budget answers for: "4 from the budget, 27 from your rules"; null where it is all of them. */
export function describeOrigins(incidents: Pick<Preview['incidents'][number], 'rule'>[]): string | null {
  const countOf = (rule: string) => incidents.filter((incident) => incident.rule === rule).length;
  const [rules, kinds] = [countOf('at_least'), countOf('new_kind')];
  if (rules + kinds === 0) return null;
  return [
    `${formatCount(incidents.length - rules - kinds)} from the budget`,
    rules > 0 && `${formatCount(rules)} from your rules`,
    kinds > 0 && `${formatCount(kinds)} from errors never seen before`,
  ]
    .filter(Boolean)
    .join(', ');
}
