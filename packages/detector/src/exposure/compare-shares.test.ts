import { describe, expect, it } from 'vitest';
import { findDifferingRelease, logEvidenceOf, type ReleaseSlot } from './compare-shares.ts';

type Units = [failed: number, others: number];
/** Slots of the release `new` beside `old`. */
const slotsOf = (...pairs: [ours: Units, theirs: Units][]): ReleaseSlot[] =>
  pairs.flatMap(([ours, theirs], slot) => [
    { slot, release: 'new', failed: ours[0], others: ours[1] },
    { slot, release: 'old', failed: theirs[0], others: theirs[1] },
  ]);
const NO_ODDS = { oddsBefore: 1, dispersion: 1 };

describe('the evidence that errors are more likely with a release', () => {
  /** Calculated with exact fractions, from the definition of the noncentral hypergeometric distribution. */
  it.each([
    [
      'the lady tasting tea',
      slotsOf([
        [3, 1],
        [1, 3],
      ]),
      NO_ODDS,
      0.1644050836961659,
    ],
    [
      'all of a fifth',
      slotsOf([
        [12, 8],
        [0, 80],
      ]),
      NO_ODDS,
      21.691592826802943,
    ],
    [
      'two slots',
      slotsOf(
        [
          [12, 8],
          [0, 80],
        ],
        [
          [5, 45],
          [3, 47],
        ],
      ),
      NO_ODDS,
      14.068830875366125,
    ],
    [
      'double odds before',
      slotsOf(
        [
          [12, 8],
          [0, 80],
        ],
        [
          [5, 45],
          [3, 47],
        ],
      ),
      { oddsBefore: 2, dispersion: 1 },
      7.6128211340359355,
    ],
    [
      'clusters of three',
      slotsOf(
        [
          [12, 8],
          [0, 80],
        ],
        [
          [5, 45],
          [3, 47],
        ],
      ),
      { oddsBefore: 1, dispersion: 3 },
      4.357658129602252,
    ],
  ])('equals that of exact fractions: %s', (_name, slots, given, expected) => {
    expect(logEvidenceOf('new', slots, given)).toBeCloseTo(expected, 9);
  });

  it('keeps the evidence at 1 on average where errors are as likely with every release', () => {
    // All ways in which 4 of 12 units fail; 5 of the 12 have the release.
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (n * choose(n - 1, k - 1)) / k);
    let expected = 0;
    for (let failed = 0; failed <= 4; failed++) {
      const slots = slotsOf([
        [failed, 5 - failed],
        [4 - failed, 3 + failed],
      ]);
      const chance = (choose(5, failed) * choose(7, 4 - failed)) / choose(12, 4);
      expected += chance * Math.exp(logEvidenceOf('new', slots, NO_ODDS));
    }
    expect(expected).toBeCloseTo(1, 9);
  });

  it('stays finite for as many units as are read', () => {
    const slots = slotsOf([
      [9_000, 1_000],
      [0, 10_000],
    ]);
    expect(logEvidenceOf('new', slots, NO_ODDS)).toBeGreaterThan(5_000);
  });
});

describe('the release that differs', () => {
  it('finds the release that all errors are from although it has a part of the traffic', () => {
    expect(
      findDifferingRelease(
        slotsOf([
          [20, 80],
          [0, 400],
        ]),
        [],
      ),
    ).toBe('new');
  });

  it('finds none where the release has all of the traffic since its deploy', () => {
    const slots = slotsOf(
      [
        [0, 0],
        [0, 100],
      ],
      [
        [0, 0],
        [1, 99],
      ],
      [
        [90, 10],
        [0, 0],
      ],
      [
        [95, 5],
        [0, 0],
      ],
    );
    expect(findDifferingRelease(slots, [])).toBeNull();
  });

  it('finds none where errors rise with all releases while one replaces the other', () => {
    const slots = slotsOf(
      [
        [0, 10],
        [2, 88],
      ],
      [
        [5, 45],
        [5, 45],
      ],
      [
        [36, 54],
        [4, 6],
      ],
    );
    expect(findDifferingRelease(slots, [])).toBeNull();
  });

  it('finds none for errors of one unit, however clear its release is', () => {
    expect(
      findDifferingRelease(
        slotsOf([
          [1, 9],
          [0, 990],
        ]),
        [],
      ),
    ).toBeNull();
  });

  it('finds none that had as much larger a share of errors before', () => {
    const slots = slotsOf([
      [40, 60],
      [20, 180],
    ]);
    expect(findDifferingRelease(slots, [])).toBe('new');
    const before = [
      { release: 'new', failed: 60, others: 940 },
      { release: 'old', failed: 30, others: 2_970 },
    ];
    expect(findDifferingRelease(slots, before)).toBeNull();
  });

  it('asks for more evidence the more releases there are', () => {
    const slots = slotsOf([
      [7, 13],
      [0, 60],
    ]);
    expect(findDifferingRelease(slots, [])).toBe('new');
    const many = Array.from({ length: 200 }, (_, index) => ({
      slot: 1,
      release: `1.0.${index}`,
      failed: 0,
      others: 1,
    }));
    expect(findDifferingRelease([...slots, ...many], [])).toBeNull();
  });
});
