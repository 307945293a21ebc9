import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface AvoidedWord {
  pattern: RegExp;
  better: string;
  /** Folder in which the word is a term. */
  termIn?: string;
}

/** Words that sources and pages avoid, each with a better one. */
const AVOIDED: AvoidedWord[] = [
  { pattern: /\bwhoever\b/i, better: 'the role: the caller, the client, any process that …' },
  { pattern: /\bwhatever (?:it|they) (?:is|are)\b/i, better: 'any, of any kind, regardless of …' },
  {
    pattern: /\b(?:is|are|was|were|be|been|not|never) taken for\b/i,
    better: 'mistaken for, treated as, counted as',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been) told(?! apart)\b/i,
    better: 'receives, is reported, is notified, is instructed',
  },
  { pattern: /\bsomebody\b/i, better: 'a user, a client, another process' },
  // The account of that name is what embedded PostgreSQL may run as.
  {
    pattern: /(?<!`)\bnobody\b(?![@`])/i,
    better: 'no user, no process, none',
    termIn: 'packages/embedded-postgres/',
  },
  { pattern: /\bno strangers?\b/i, better: 'known, frequent' },
  { pattern: /\bwithout a trace\b/i, better: 'completely, lossless' },
  { pattern: /\b(?:he|his|him)\b/i, better: 'the user, they, their' },
  { pattern: /\banew\b/i, better: 'again; reset, start over' },
  { pattern: /\bgoes by\b/i, better: 'uses, follows, passes' },
  { pattern: /\b(?:MOST|LARGEST|LONGEST)_/, better: 'MAX_' },
  { pattern: /\b(?:LEAST|FEWEST)_/, better: 'MIN_' },
  { pattern: /\bVerdictDesk\b/i, better: 'IncidentTracker' },
  { pattern: /\bSeriesPlaces\b/, better: 'SeriesRegistry' },
  { pattern: /\bSeriesMemory\b/, better: 'SeriesState' },
  { pattern: /\bBeatWatch\b/, better: 'HeartbeatMonitor' },
  { pattern: /\bKindWatch\b/, better: 'the detector of new errors' },
  { pattern: /\bcreateSilentSeries\b/, better: 'warm start with zeros' },
  { pattern: /\btrouble series\b/i, better: 'error series' },
  { pattern: /\bsightings?\b/i, better: 'exceedance' },
  { pattern: /\bunruly\b/i, better: 'heavy-tailed' },
  { pattern: /\bretell/i, better: 'update the headline' },
  { pattern: /\bappendWithCare\b/, better: 'appendTransactionally' },
  { pattern: /\bgive(?:Tree)?To\b/, better: 'chown, chownRecursive' },
  { pattern: /\brightToSucceed\b/, better: 'takeover file' },
  { pattern: /\bholdsWithin\b/, better: 'waitUntil' },
  { pattern: /\bsettlesWithin\b/, better: 'settledBefore' },
  { pattern: /\bholdOrganization\b/, better: 'lockForKeyShare' },
  { pattern: /\bfreeDeletedProjects\b/, better: 'ProjectPurge' },
  { pattern: /\blookedThrough\b/, better: 'scanned' },
  { pattern: /\bAmongNewest\b/, better: 'scanNewest' },
  { pattern: /\bsay(?:Series|Chance)\b/, better: 'describeSeries, formatRate' },
  { pattern: /\btitleChart\b/, better: 'chartTitle' },
  { pattern: /\breadRefusal\b/, better: 'toFormErrors' },
  { pattern: /\b\w*GroupPrints\b/, better: 'GroupFingerprints' },
  { pattern: /\bIdFloor\b/, better: 'IdLowerBound' },
  { pattern: /\bsettle(?:Guess|Groups?|Held)\b/, better: 'recordGuess, reopenGroups, processHeld' },
  { pattern: /\bonDoubt\b/, better: 'onPossibleSessionEnd' },
  { pattern: /\bmustBe\b/, better: 'expectStatus' },
  { pattern: /\b\w*(?:[sS]etAside|set_aside)\w*/, better: 'excluded, ProjectExclusion' },
  { pattern: /\b\w*[pP]ut(?:Away|_away)\w*|\bput(?:s|ting)? away\b/, better: 'offload, offloaded' },
  {
    pattern: /\b(?:InboxKind|ERROR_KINDS|kind_hours|\w*(?:Listed|Largest)Kinds|Kind(?:Bounds|Lists))\b/,
    better: 'errors, fingerprints',
  },
  { pattern: /\breleaseLookedAt\b/, better: 'releaseComparedAt' },
  {
    pattern: /\bspellCheck=\{false\}/,
    better: 'spellCheck="false": Preact leaves an attribute of false out',
  },
  { pattern: /\bverdicts?\b/, better: 'decision, result; the detector event' },
];

/** Returns `file:line: "word", better: …` for each avoided word of a text. */
function findAvoided(file: string, text: string): string[] {
  // Rows that cite a test quote its title.
  const quotesTests = file.endsWith('.md');
  const avoided = AVOIDED.filter(
    ({ pattern, termIn }) => (termIn === undefined || !file.startsWith(termIn)) && pattern.test(text),
  );
  if (avoided.length === 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      (quotesTests && line.includes('.test.ts`') ? [] : avoided).flatMap(({ pattern, better }) =>
        [line.match(pattern)].flatMap((found) =>
          found ? [`${file}:${index + 1}: "${found[0]}", better: ${better}`] : [],
        ),
      ),
    );
}

/** Checked folders, without migrations, which must not change after a release, and tests, whose data may be any text. */
const FOLDERS = [
  'bench',
  'dashboard/src',
  'docs',
  'examples',
  'packages',
  'scripts',
  'sdk/src',
  'sdk/test',
  'server/src',
  'server/test',
];
const IS_SOURCE = /\.(?:tsx?|m?js|css|md)$/;
const IS_SKIPPED = /(?:^|\/)(?:node_modules|dist|fixtures)\/|\.test\.tsx?$/;

async function listFiles(): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) => {
      const files = await readdir(path.join(ROOT, folder), { recursive: true });
      return files.map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
    }),
  );
  const pages = (await readdir(ROOT)).filter((file) => file.endsWith('.md'));
  return [...pages, ...found.flat()].filter((file) => IS_SOURCE.test(file) && !IS_SKIPPED.test(file));
}

describe('the words that CONTRIBUTING.md avoids', () => {
  it('finds none of the avoided words in sources and pages', async () => {
    const files = await listFiles();
    expect(files).toContain('server/src/main.ts');
    const texts = await Promise.all(
      files.map(async (file) => findAvoided(file, await readFile(path.join(ROOT, file), 'utf8'))),
    );
    expect(texts.flat()).toEqual([]);
  });

  it('refuses a planted sentence with its line and a better word', () => {
    const planted = 'The lock is free.\n// Whoever waits is told of it, and somebody takes it.';
    expect(findAvoided('server/src/planted.ts', planted)).toEqual([
      expect.stringMatching(/^server\/src\/planted\.ts:2: "Whoever", better: the role/),
      expect.stringMatching(/^server\/src\/planted\.ts:2: "is told", better: receives/),
      expect.stringMatching(/^server\/src\/planted\.ts:2: "somebody", better: a user/),
    ]);
  });

  it('allows a word in the folder in which it is a term, and words that contain an avoided one', () => {
    expect(findAvoided('packages/embedded-postgres/src/run.ts', 'runs as nobody')).toEqual([]);
    expect(findAvoided('server/src/run.ts', 'series are told apart; mistaken for another')).toEqual([]);
    expect(findAvoided('server/src/run.ts', 'const UTMOST_AGE = 1;')).toEqual([]);
  });
});
