/** Fields that decide which of two releases is the newer one. */
export interface OrderedRelease {
  version: string;
  /** Number of the release in its project: the one that appeared later has the larger number. */
  number: number;
}

/**
 * Negative if the first release is the older one, positive if it is the newer one, 0 if they are the same. By
 * precedence of Semantic Versioning 2.0.0, section 11, if both versions parse and are of the same package; else, and
 * at equal precedence, by their order of appearance. A pair is compared by itself: over three releases of which only
 * some parse the order need not be transitive.
 */
export function compareReleases(left: OrderedRelease, right: OrderedRelease): number {
  if (left.version === right.version) return 0;
  return compareVersions(left.version, right.version) || left.number - right.number;
}

export interface SeenRelease extends OrderedRelease {
  /** Number of users that its events name; 2 stands for any larger number. */
  users: number;
  /** True if a deploy of it was reported. */
  isDeployed: boolean;
}

/**
 * The newest release of a project. A release that a single user has, and that no deploy announced, is a build on one
 * person's device (`999.9.9`): it is the newest only if the project has no other. Events that name no user come from
 * servers.
 */
export function findLatestRelease<T extends SeenRelease>(releases: readonly T[]): T | null {
  const established = releases.filter(({ users, isDeployed }) => isDeployed || users !== 1);
  let latest: T | null = null;
  // In the order of appearance, so that the result does not depend on the order of the list.
  for (const release of (established.length > 0 ? established : releases).toSorted(byNumber)) {
    if (!latest || compareReleases(release, latest) > 0) latest = release;
  }
  return latest;
}

function byNumber(left: OrderedRelease, right: OrderedRelease): number {
  return left.number - right.number;
}

/*
 * By hand: semver 7.8 (already installed, for the framework) refuses versions of two numbers and numbers above 2^53,
 * and would save 20 lines, since the pattern for the package and the numbers stays.
 */

interface Version {
  /** Package, as in `shop@1.2.3`; null: the version alone. */
  name: string | null;
  /** Numbers of any length: a version may have more digits than a double holds. */
  core: bigint[];
  /** Empty: no pre-release. */
  preRelease: (bigint | string)[];
  /** Number of the build, if it is one. */
  build: bigint | null;
}

/** Two or three numbers, with `v` or a package before them: `1.2`, `v1.2.3-rc.1`, `com.shop@1.2.3+456`. */
const VERSION =
  /^(?:(?<name>.+)@)?v?(?<core>\d+\.\d+(?:\.\d+)?)(?:-(?<pre>[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+(?<build>[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

function parse(text: string): Version | null {
  const groups = VERSION.exec(text.trim())?.groups;
  if (!groups?.core) return null;
  return {
    name: groups.name ?? null,
    core: groups.core.split('.').map(BigInt),
    preRelease: groups.pre?.split('.').map((part) => (isNumber(part) ? BigInt(part) : part)) ?? [],
    build: groups.build && isNumber(groups.build) ? BigInt(groups.build) : null,
  };
}

/** Returns 0 if the versions alone do not decide. */
function compareVersions(leftText: string, rightText: string): number {
  const [left, right] = [parse(leftText), parse(rightText)];
  if (!left || !right) return 0;
  // Versions of two packages are unrelated.
  if (left.name !== null && right.name !== null && left.name !== right.name) return 0;
  for (let index = 0; index < 3; index++) {
    const difference = compareValues(left.core[index] ?? 0n, right.core[index] ?? 0n);
    if (difference !== 0) return difference;
  }
  const difference = comparePreReleases(left.preRelease, right.preRelease);
  if (difference !== 0 || left.build === null || right.build === null) return difference;
  // Builds have no precedence in Semantic Versioning; mobile applications count them there.
  return compareValues(left.build, right.build);
}

function comparePreReleases(left: Version['preRelease'], right: Version['preRelease']): number {
  // A pre-release comes before its release.
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) break;
    const difference = compareIdentifiers(part, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Numbers come before texts. */
function compareIdentifiers(left: bigint | string, right: bigint | string): number {
  if (typeof left === typeof right) return compareValues(left, right);
  return typeof left === 'bigint' ? -1 : 1;
}

function compareValues(left: bigint | string, right: bigint | string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
