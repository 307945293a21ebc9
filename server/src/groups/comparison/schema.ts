import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { MAX_RELEASE_LENGTH } from '../../releases/limits.ts';
import { MAX_COMPARED_GROUPS } from '../limits.ts';

// No stored text contains NUL, which an address may.
const Version = Type.String({ pattern: `^[^\\0]{1,${MAX_RELEASE_LENGTH}}$` });

export const ComparisonQuery = Type.Object({
  release: Type.Optional({ ...Version, description: 'Default: the latest release of the project.' }),
  base: Type.Optional({
    ...Version,
    description:
      'Release that it is compared with. Default: the newest older one with events, passing over builds that a single user has.',
  }),
  environment: Type.Optional(
    Type.String({
      pattern: '^[^\\0]{0,256}$',
      description:
        'Environment whose events are counted, in any of its spellings. Default: all watched ones.',
    }),
  ),
});

export const Difference = Type.Object({
  value: Type.Number({
    description: 'Share of the release less that of the base, as parts of 1: 0.82 is 82 percentage points.',
  }),
  low: Type.Number({ description: 'Lower bound of the 95% interval (Newcombe’s hybrid score).' }),
  high: Type.Number({ description: 'Its upper bound.' }),
});
export type Difference = Static<typeof Difference>;

export const ComparedRelease = Type.Object({
  version: Type.String({ examples: ['4.18.2'] }),
  events: Type.Integer({ description: 'Number of its stored events that were counted.' }),
  errors: Type.Integer({ description: 'Number of these of severity error or critical.' }),
  from: Nullable(
    Type.String({
      ...Timestamp,
      description: 'Instant from which on its events were counted; null: from the first one on.',
    }),
  ),
  to: Nullable(
    Type.String({
      ...Timestamp,
      description: 'Instant before which its events were counted; null: up to the last one.',
    }),
  ),
});
export type ComparedRelease = Static<typeof ComparedRelease>;

const Change = Type.Enum(['worse', 'new', 'gone'], {
  description:
    '`worse`: a group of severity warn, error or critical with a larger share of events, or back after the base had none of it. `new`: began with the release. `gone`: none of its events are of the release.',
});
export type Change = Static<typeof Change>;

export const ComparedGroup = Type.Object({
  id: Type.String({ examples: ['grp_01h455vb4pex5vsknk084sn02q'] }),
  key: Type.String({ examples: ['SHOP-12'] }),
  title: Type.String(),
  severity: { ...Severity, description: 'The worst.' },
  change: Change,
  events: Type.Integer({ description: 'Number of its events of the release.' }),
  baseEvents: Type.Integer({ description: 'Number of its events of the base.' }),
  difference: {
    ...Nullable(Difference),
    description: 'Difference of its shares of all events; null: one of the releases has no events.',
  },
});
export type ComparedGroup = Static<typeof ComparedGroup>;

export const Comparison = Type.Object({
  projectId: Type.String(),
  environment: Nullable(Type.String({ description: 'Null: all watched ones.' })),
  release: {
    ...Nullable(ComparedRelease),
    description: 'Null: the project has no release.',
  },
  base: {
    ...Nullable(ComparedRelease),
    description: 'Null: there is no older release.',
  },
  difference: {
    ...Nullable(Difference),
    description: 'Difference of the shares of errors; null: one of the releases has no events.',
  },
  totals: Type.Object({ worse: Type.Integer(), new: Type.Integer(), gone: Type.Integer() }),
  groups: Type.Array(ComparedGroup, {
    description: `At most ${MAX_COMPARED_GROUPS} of each change: \`worse\` by the lower bound of the difference, largest first; the others by severity, then by number of events.`,
  }),
});
export type Comparison = Static<typeof Comparison>;
