/* The dashboard imports this file as code, so it imports nothing. */

const KEY = /^(\S+)-(\d{1,9})$/;

interface Prefixes {
  groupPrefix: string;
  formerGroupPrefixes: string[];
}

/** `SHOP`, 12 → `SHOP-12`. */
export function groupKey(prefix: string, number: number): string {
  return `${prefix}-${number}`;
}

/** The number of a possible key, in any case; null: it is none. */
export function numberOfKey(text: string): number | null {
  const number = KEY.exec(text)?.[2];
  return number === undefined ? null : Number(number);
}

/** The project to whose groups such keys lead. */
export function projectOfKey<Project extends Prefixes>(
  projects: readonly Project[],
  key: string,
): Project | undefined {
  const prefix = KEY.exec(key)?.[1];
  return prefix === undefined ? undefined : projectOfPrefix(projects, prefix.toUpperCase());
}

/** The project that has or had a prefix: no other one of its organization takes it. */
export function projectOfPrefix<Project extends Prefixes>(
  projects: readonly Project[],
  prefix: string,
): Project | undefined {
  return projects.find(
    (project) => project.groupPrefix === prefix || project.formerGroupPrefixes.includes(prefix),
  );
}
