import type { Entry } from './entry.ts';
import { useFoundEntries } from './found-entries.ts';
import { fuzzyMatch } from './fuzzy-match.ts';
import { readRecent } from './recent-entries.ts';
import { useStandingEntries } from './standing-entries.ts';

const MAX_PER_GROUP = 8;

/** Returns the entries that match the typed text, best first within each group. */
export function usePaletteEntries(text: string, showKeys: () => void): Entry[] {
  const all = useStandingEntries(showKeys);
  const forText = useFoundEntries(text.trim());
  if (text.trim() === '') {
    const shown = all.filter(({ onlyFor }) => !onlyFor);
    return [...pickRecent(all), ...capGroups(shown)];
  }
  const ranked = all
    .filter(({ onlyFor }) => !onlyFor || onlyFor.test(text))
    .flatMap((entry) => {
      const score = fuzzyMatch(
        text,
        `${entry.label} ${entry.hint ?? ''} ${entry.keys ?? ''} ${entry.also ?? ''}`,
      );
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
  const groups = [...new Set(ranked.map(({ group }) => group))];
  const grouped = groups.flatMap((group) => ranked.filter((entry) => entry.group === group));
  return [...forText.opened, ...capGroups(grouped), ...forText.found, ...forText.searched];
}

/** Returns the entries that were chosen last and still exist. */
function pickRecent(all: Entry[]): Entry[] {
  return readRecent().flatMap((id): Entry[] => {
    const entry = all.find((one) => one.id === id);
    return entry ? [{ ...entry, group: 'recent' }] : [];
  });
}

function capGroups(entries: Entry[]): Entry[] {
  const counts = new Map<string, number>();
  return entries.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= MAX_PER_GROUP;
  });
}
