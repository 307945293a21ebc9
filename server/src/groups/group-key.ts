/* The dashboard imports this file as code, so it imports nothing. */

const MAX_KEY_LETTERS = 10;
/** With any letters of a project's name. */
const KEY = /^\S*-(\d{1,9})$/;

/** `Web shop`, 12 → `WEB-SHOP-12`: the project's name in capitals, which need not be unique. */
export function groupKey(projectName: string, number: number): string {
  const words = projectName
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const name = Array.from(words.join('-')).slice(0, MAX_KEY_LETTERS).join('').replace(/-$/, '');
  return `${name || 'GROUP'}-${number}`;
}

/** The number of a possible key, in any case; null: it is none. */
export function numberOfKey(text: string): number | null {
  const number = KEY.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

/** The projects whose groups have such keys. */
export function projectsOfKey<Project extends { name: string }>(
  projects: readonly Project[],
  key: string,
): Project[] {
  const number = numberOfKey(key);
  if (number === null) return [];
  return projects.filter(({ name }) => groupKey(name, number) === key.toUpperCase());
}
