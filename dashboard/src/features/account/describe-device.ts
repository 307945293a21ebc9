/** The first match counts: most browsers also name those that they are compatible with. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  // Matches `HeadlessChrome/…`, too.
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Describes a `User-Agent`, such as "Firefox on Linux"; returns it unchanged if it names no known browser. */
export function describeDevice(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const nameIn = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (!browser) return userAgent;
  return system ? `${browser} on ${system}` : browser;
}
