import type { Project, Stream } from '../risk/scenarios/project-definition.ts';
import type { Scenario } from '../risk/scenarios/scenario.ts';

interface Thinning {
  /** History before the day of the trouble. */
  historyDays: number;
  /** Share of the events of a stream that is sent. */
  shareOf: (stream: Stream) => number;
}

const THINNED: Record<string, Thinning> = {
  /** Its large streams are web, api and worker: payments, errors and logins come in full. */
  shop: { historyDays: 2, shareOf: ({ perMinute }) => (perMinute >= 12 ? 0.25 : 1) },
  /** All streams alike: how the services compare with one another stays. */
  'ten services': { historyDays: 2, shareOf: () => 0.25 },
  /** A week and a day: the morning of a working day, and of this one a week before. */
  office: { historyDays: 8, shareOf: ({ perMinute }) => (perMinute >= 12 ? 0.25 : 1) },
  /** As it is: twenty events a day. */
  'start-up': { historyDays: 15, shareOf: () => 1 },
};

/** A project of the scenarios with as few events as two cores can send in minutes. */
export function thin({ project }: Scenario): { project: Project; historyDays: number } {
  const { historyDays, shareOf } = THINNED[project.name] ?? { historyDays: 2, shareOf: () => 1 };
  const streams = project.streams.map((stream) => ({
    ...stream,
    perMinute: stream.perMinute * shareOf(stream),
  }));
  return { project: { ...project, streams }, historyDays };
}
