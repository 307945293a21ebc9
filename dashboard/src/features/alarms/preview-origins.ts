import type { Preview } from '../../lib/api-types.ts';
import { texts } from './texts.ts';

type PreviewIncident = Preview['incidents'][number];
export type OriginIncident = Pick<
  PreviewIncident,
  'rule' | 'ruleName' | 'series' | 'expected' | 'windowSeconds'
>;

/** Cause of incidents of a preview: detection, errors never seen before, or one of the project's own rules. */
export interface Origin<Incident> {
  name: string;
  /** Count in words: "4 from detection". */
  count: string;
  incidents: Incident[];
}

/** Groups incidents by origin: detection first, even without incidents, then each rule, the most frequent first. */
export function groupByOrigin<Incident extends OriginIncident>(incidents: Incident[]): Origin<Incident>[] {
  const isOwn = ({ rule }: Incident) => rule === 'at_least' || rule === 'above_share';
  const budget = incidents.filter((incident) => !isOwn(incident) && incident.rule !== 'new_kind');
  const newKinds = incidents.filter(({ rule }) => rule === 'new_kind');
  const rules = new Map<string, Incident[]>();
  for (const incident of incidents.filter(isOwn)) {
    const name = texts.nameOfRule(incident);
    rules.set(name, [...(rules.get(name) ?? []), incident]);
  }
  return [
    { name: texts.originNames.budget, count: texts.origins.budget(budget.length), incidents: budget },
    ...[...rules]
      .toSorted(([, left], [, right]) => right.length - left.length)
      .map(([name, matching]) => ({
        name,
        count: texts.origins.rule(matching.length, name),
        incidents: matching,
      })),
    ...(newKinds.length > 0
      ? [
          {
            name: texts.originNames.newKinds,
            count: texts.origins.newKinds(newKinds.length),
            incidents: newKinds,
          },
        ]
      : []),
  ];
}
