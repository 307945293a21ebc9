import { dispersionOf, findDifferingRelease, type ReleaseBefore, type ReleaseSlot } from '@tocsin/detector';
import { poissonInterval } from '@tocsin/simulation/poisson-interval';
import { type Half, Random, seedsOf } from '@tocsin/simulation/random';
import { printTable } from './table.ts';

/** Incidents of each project; the releases of each are compared after each of its minutes. */
const INCIDENTS = 100;
const MINUTES = 30;
const BEFORE_MINUTES = 60;
/** Ten-minute bins of six hours, with a known dispersion. */
const BINS = 36;
const PER_MINUTE = 300;
const USUAL_SHARE = 0.005;

interface Part {
  release: string;
  /** Share of the traffic in a minute since the incident began. */
  share: (minute: number) => number;
  /** How often its events are errors, in place of the usual share; before the incident and in it. */
  before: number;
  during: number;
}

interface Story {
  name: string;
  parts: Part[];
  /** Errors of one user, beside the others: all of one release. */
  cluster?: { isNamed: boolean; errorsAMinute: number; before: number };
}

const even = (release: string, share: number, factor = 1): Part => ({
  release,
  share: () => share,
  before: USUAL_SHARE * factor,
  during: USUAL_SHARE * factor * 20,
});
const rollout: Part[] = [
  { ...even('old', 0), share: (minute) => Math.max(0, 1 - Math.max(0, minute + 5) / 30) },
  { ...even('new', 0), share: (minute) => Math.min(1, Math.max(0, minute + 5) / 30) },
];
const calm = (parts: Part[]): Part[] => parts.map((part) => ({ ...part, during: part.before }));

const WITHOUT: Story[] = [
  { name: 'a rollout over half an hour; all errors ×20', parts: rollout },
  { name: 'a canary with 10%; all errors ×20', parts: [even('old', 0.9), even('new', 0.1)] },
  {
    name: 'eight releases of an app; all errors ×20',
    parts: [0.4, 0.2, 0.12, 0.1, 0.08, 0.05, 0.03, 0.02].map((share, index) => even(`1.${index}`, share)),
  },
  {
    name: 'a release with twice the errors before and since; all ×20',
    parts: [even('old', 0.7), even('new', 0.3, 2)],
  },
  {
    name: 'a rollout; one bad user, who is named, 60 errors a minute',
    parts: calm(rollout),
    cluster: { isNamed: true, errorsAMinute: 60, before: 0 },
  },
  {
    name: 'a rollout; one bad user, who is not named, 60 errors a minute',
    parts: calm(rollout),
    cluster: { isNamed: false, errorsAMinute: 60, before: 0 },
  },
  {
    name: 'the same, as three others for 10 minutes each in six hours',
    parts: calm(rollout),
    cluster: { isNamed: false, errorsAMinute: 60, before: 3 },
  },
];
const ofNew = (parts: Part[], factor: number): Part[] =>
  parts.map((part) => ({ ...part, during: part.before * (part.release === 'new' ? factor : 1) }));
const WITH: Story[] = [
  { name: 'a canary with 10%; its errors ×20', parts: ofNew([even('old', 0.9), even('new', 0.1)], 20) },
  { name: 'half of the traffic; its errors ×20', parts: ofNew([even('old', 0.5), even('new', 0.5)], 20) },
  { name: 'a rollout; the errors of the new release ×20', parts: ofNew(rollout, 20) },
  { name: 'a canary with 2%; its errors ×20', parts: ofNew([even('old', 0.98), even('new', 0.02)], 20) },
  { name: 'a canary with 10%; its errors ×4', parts: ofNew([even('old', 0.9), even('new', 0.1)], 4) },
];

/** How often a release is named that has no larger share of errors than the others, and how soon one that has. */
export function evaluateReleases({ projects, half }: { projects: number; half: Half }): void {
  const evaluate = (story: Story) =>
    seedsOf(half, projects).flatMap((seed) => {
      const random = new Random(seed);
      return Array.from({ length: INCIDENTS }, () => follow(story, random));
    });
  printTable(
    'Releases with equal shares of errors',
    ['Incidents', 'Looks at each', 'Incidents', 'Named a release', 'At most 1 in 1,000'],
    WITHOUT.map((story) => {
      const found = evaluate(story);
      const named = found.filter(({ release }) => release !== null).length;
      const [low, high] = poissonInterval(named);
      const share = (count: number) => `${((100 * count) / found.length).toFixed(2)}%`;
      return [
        story.name,
        MINUTES,
        found.length,
        `${named} (${share(low)} to ${share(high)})`,
        low / found.length <= 0.001 ? 'yes' : 'no',
      ];
    }),
  );
  printTable(
    'A release with more errors',
    ['Incidents', 'Found', 'Wrong release', 'Minutes (median)', 'Errors by then (median)'],
    WITH.map((story) => {
      const all = evaluate(story);
      const found = all.filter(({ release }) => release === 'new');
      const wrong = all.filter(({ release }) => release !== null && release !== 'new').length;
      const median = (values: number[]) =>
        values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? '';
      return [
        story.name,
        `${((100 * found.length) / all.length).toFixed(0)}%`,
        wrong,
        median(found.map(({ minute }) => minute)),
        median(found.map(({ errors }) => errors)),
      ];
    }),
  );
}

interface FollowedIncident {
  /** The first that was named; null: none was. */
  release: string | null;
  minute: number;
  errors: number;
}

/** An incident from its beginning on, until a release is named. */
function follow({ parts, cluster }: Story, random: Random): FollowedIncident {
  const before: ReleaseBefore[] = parts.map(({ release, share, before: errorShare }) => {
    const row = { release, failed: 0, others: 0 };
    for (let minute = -BEFORE_MINUTES; minute < 0; minute++) {
      row.failed += random.poisson(PER_MINUTE * share(minute) * errorShare);
      row.others += random.poisson(PER_MINUTE * share(minute) * (1 - errorShare));
    }
    return row;
  });
  const errorsAMinute = parts.reduce((sum, part) => sum + PER_MINUTE * part.share(0) * part.before, 0);
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const ofClusters = bin < (cluster?.before ?? 0) ? 10 * (cluster?.errorsAMinute ?? 0) : 0;
    return random.poisson(10 * errorsAMinute + ofClusters);
  });
  const dispersion = dispersionOf(bins);
  const slots: ReleaseSlot[] = [];
  const host = cluster && pick(parts, random);
  let hasFailed = false;
  let errors = 0;
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const { release, share, during } of parts) {
      const slot = {
        slot: minute,
        release,
        failed: random.poisson(PER_MINUTE * share(minute) * during),
        others: random.poisson(PER_MINUTE * share(minute) * (1 - during)),
      };
      errors += slot.failed;
      if (cluster && release === host) {
        const count = random.poisson(cluster.errorsAMinute);
        errors += count;
        if (!cluster.isNamed) slot.failed += count;
        else if (!hasFailed && count > 0) {
          slot.failed++;
          hasFailed = true;
        }
      }
      if (slot.failed + slot.others > 0) slots.push(slot);
    }
    const release = findDifferingRelease(slots, before, cluster?.isNamed ? 1 : dispersion);
    if (release !== null) return { release, minute: minute + 1, errors };
  }
  return { release: null, minute: MINUTES, errors };
}

/** The release of a user, by the traffic as the incident begins. */
function pick(parts: readonly Part[], random: Random): string | undefined {
  let left = random.uniform();
  return parts.find(({ share }) => (left -= share(0)) < 0)?.release ?? parts[0]?.release;
}
