/** What decides which of two releases is the newer one. */
export interface OrderedRelease {
  version: string;
  /** Of two releases of a project the one that appeared later has the larger number. */
  number: number;
}

/**
 * Negative where the first release is the older one, positive where it is the newer one, 0 where they are the same.
 * By precedence of Semantic Versioning 2.0.0, section 11, where both versions parse and are of the same package; else, and
 * at equal precedence, by their order of appearance. A pair is compared by itself: over three releases of which only
 * some parse the order need not be transitive.
 */
export function compareReleases(left: OrderedRelease, right: OrderedRelease): number {
  if (left.version === right.version) return 0;
  return compareVersions(left.version, right.version) || left.number - right.number;
}

export interface SeenRelease extends OrderedRelease {
  /** How many users its events name; 2 stands for any larger number. */
  users: number;
  /** Whether a deploy of it was reported. */
  isDeployed: boolean;
}

/**
 * The newest release of a project. One that a single user has, and that no deploy announced, is a build on one
 * person's device (`999.9.9`): it is the newest only where the project has no other. Events that name no user are those of servers.
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

interface Version {
  /** As in `shop@1.2.3`; null: the version alone. */
  name: string | null;
  /** Digits of any length, without leading zeros. */
  core: string[];
  /** Empty: no pre-release. */
  preRelease: string[];
  build: string[];
}

/** Two or three numbers, with `v` or a package before them: `1.2`, `v1.2.3-rc.1`, `com.shop@1.2.3+456`. */
const VERSION =
  /^(?:(?<name>.+)@)?v?(?<core>\d+\.\d+(?:\.\d+)?)(?:-(?<pre>[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+(?<build>[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

function parse(text: string): Version | null {
  const groups = VERSION.exec(text.trim())?.groups;
  if (!groups?.core) return null;
  return {
    name: groups.name ?? null,
    core: groups.core.split('.').map(withoutLeadingZeros),
    preRelease: groups.pre?.split('.') ?? [],
    build: groups.build?.split('.') ?? [],
  };
}

/** 0 where the versions alone do not tell. */
function compareVersions(leftText: string, rightText: string): number {
  const [left, right] = [parse(leftText), parse(rightText)];
  if (!left || !right) return 0;
  // Versions of two packages have nothing to do with each other.
  if (left.name !== null && right.name !== null && left.name !== right.name) return 0;
  for (let index = 0; index < 3; index++) {
    const difference = compareNumbers(left.core[index] ?? '0', right.core[index] ?? '0');
    if (difference !== 0) return difference;
  }
  return comparePreReleases(left.preRelease, right.preRelease) || compareBuilds(left.build, right.build);
}

function comparePreReleases(left: string[], right: string[]): number {
  // A pre-release comes before its release.
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = compareIdentifiers(left[index] ?? '', right[index] ?? '');
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareIdentifiers(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [isNumber(left), isNumber(right)];
  if (leftIsNumber && rightIsNumber)
    return compareNumbers(withoutLeadingZeros(left), withoutLeadingZeros(right));
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return compareTexts(left, right);
}

/** Without precedence in Semantic Versioning; mobile applications count their builds there. */
function compareBuilds([left = '', ...leftRest]: string[], [right = '', ...rightRest]: string[]): number {
  if (leftRest.length > 0 || rightRest.length > 0 || !isNumber(left) || !isNumber(right)) return 0;
  return compareNumbers(withoutLeadingZeros(left), withoutLeadingZeros(right));
}

/** Of digits without leading zeros: a version may have more of them than a double holds. */
function compareNumbers(left: string, right: string): number {
  return left.length - right.length || compareTexts(left, right);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
