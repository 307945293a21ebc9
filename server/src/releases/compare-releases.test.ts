import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareReleases, findLatestRelease } from './compare-releases.ts';

const at = (version: string, number: number) => ({ version, number });
/** Compares two releases of which the first one appeared before the second one. */
const compare = (left: string, right: string) => Math.sign(compareReleases(at(left, 1), at(right, 2)));

describe('the order of releases', () => {
  it.each([
    ['1.2.3', '1.2.4'],
    ['1.9.0', '1.10.0'],
    ['v1.2.3', '1.2.4'],
    ['1.2', '1.2.1'],
    ['shop@1.2.3', 'shop@1.2.4'],
    ['shop@1.2.3', '1.2.4'],
    ['1.2.3', 'shop@1.2.4'],
    ['@acme/shop@1.2.3', '@acme/shop@1.3.0'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0.0-alpha.1', '1.0.0-alpha.beta'],
    ['1.0.0-beta.2', '1.0.0-beta.11'],
    ['1.0.0-rc.1', '1.0.0'],
    ['2026.01.05', '2026.1.12'],
    ['com.shop@1.2.3+99', 'com.shop@1.2.3+100'],
    ['9007199254740993.0.0', '9007199254740994.0.0'],
  ])('finds %s older than %s, whichever appeared first', (older, newer) => {
    expect(compare(older, newer)).toBe(-1);
    expect(compare(newer, older)).toBe(1);
  });

  it.each([
    ['two commits', 'f00dfeed', '0ddba11'],
    ['a version and a commit', '9.9.9', '0ddba11'],
    ['numbers of builds', '1042', '7'],
    ['two packages', 'web@2.0.0', 'api@1.0.0'],
    ['builds that are no numbers', '1.0.0+b', '1.0.0+a'],
    ['a version with and without its package', 'shop@1.0.0', '1.0.0'],
    ['four numbers', '1.2.3.9', '1.2.3.4'],
    ['no version at all', '@', '@1.0.0'],
  ])('compares %s by their order of appearance', (_what, left, right) => {
    expect(compare(left, right)).toBe(-1);
    expect(compare(right, left)).toBe(-1);
  });

  it('finds a release neither older nor newer than itself, and turns the sign with the sides', () => {
    const number = fc.nat(12);
    const version = fc.oneof(
      fc.tuple(number, number, number).map((core) => core.join('.')),
      fc.tuple(number, fc.constantFrom('rc.1', 'rc.10', 'beta', '1')).map(([n, pre]) => `1.0.${n}-${pre}`),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(version, version, (left, right) => {
        expect(compareReleases(at(left, 1), at(left, 1))).toBe(0);
        const sign = Math.sign(compareReleases(at(left, 1), at(right, 2)));
        // Adding 0 turns a negative zero into a positive one.
        expect(Math.sign(compareReleases(at(right, 2), at(left, 1)))).toBe(-sign + 0);
      }),
    );
  });

  it('compares hostile versions in a time that grows no faster than they', () => {
    for (const piece of ['@', '1.', '-', 'a-', '+', 'v', '1.1-', '.']) {
      // A backtracking pattern would not end at this length: the time limit of the test is the assertion.
      compare(piece.repeat(20_000), `1.0.0-${piece.repeat(20_000)}`);
    }
  });
});

describe('the latest release', () => {
  const seen = (version: string, number: number, users: number, isDeployed = false) => ({
    version,
    number,
    users,
    isDeployed,
  });
  const latest = (...releases: ReturnType<typeof seen>[]) => findLatestRelease(releases)?.version ?? null;

  it('finds no latest release in a project without releases', () => {
    expect(latest()).toBeNull();
  });

  it('passes over a release that a single user has', () => {
    expect(latest(seen('1.2.0', 1, 2), seen('999.9.9', 2, 1))).toBe('1.2.0');
    expect(latest(seen('1.2.0', 1, 0), seen('999.9.9', 2, 1))).toBe('1.2.0');
  });

  it('finds a release latest that two users have, that a server reports, or that was deployed', () => {
    expect(latest(seen('1.2.0', 1, 2), seen('1.3.0', 2, 2))).toBe('1.3.0');
    expect(latest(seen('1.2.0', 1, 2), seen('1.3.0', 2, 0))).toBe('1.3.0');
    expect(latest(seen('1.2.0', 1, 2), seen('1.3.0', 2, 1, true))).toBe('1.3.0');
  });

  it('finds the newest release latest where each has a single user', () => {
    expect(latest(seen('1.3.0', 1, 1), seen('1.2.0', 2, 1))).toBe('1.3.0');
  });

  it('does not find an older release latest that appears later', () => {
    expect(latest(seen('1.3.0', 1, 2), seen('1.2.9', 2, 2))).toBe('1.3.0');
    expect(latest(seen('1.3.0', 1, 2), seen('1.3.0-rc.2', 2, 2))).toBe('1.3.0');
  });

  it('does not depend on the order of the list', () => {
    const releases = [seen('f00d', 1, 2), seen('1.0.0', 2, 2), seen('beef', 3, 2), seen('0.9.0', 4, 2)];
    expect(latest(...releases.toReversed())).toBe(latest(...releases));
  });
});
