import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXCEPTIONS, namesEvents } from '../../../scripts/lint/events-apart.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SPREADS = 'tocsin/no-unbounded-spread';
const TITLES = 'tocsin/test-title';
const PARAMETERS = 'max-params';
const COMMENTS = 'tocsin/comment-form';
const TYPES = 'tocsin/type-name';
const DESCRIPTIONS = 'tocsin/description-form';
const TEXTS = 'tocsin/plain-texts';
const EVENTS = 'tocsin/events-apart';

/** Planted sources, each with the rule that looks at it and the lines that the rule refuses. */
const PLANTED: { about: string; rule: string; refused: number[]; source: string }[] = [
  {
    about: 'a spread array in a call or a constructor',
    rule: SPREADS,
    refused: [2, 3, 4],
    source: `
      export const least = (counts: number[]) => Math.min(...counts);
      export const all = (parts: string[], more: string[]) => parts.push('one', ...more.slice(1));
      export const set = (entries: [number, number][]) => new Array(...entries);
    `,
  },
  {
    about: 'literal arrays, rest parameters, spreads outside of calls, and a stated bound',
    rule: SPREADS,
    refused: [],
    source: `
      export const least = (a: number, b: number) => Math.min(...[a, b]);
      export const passOn = (...values: number[]) => Math.max(...values);
      export const copy = (values: number[]) => new Set([...values]);
      // oxlint-disable-next-line tocsin/no-unbounded-spread -- at most 20 rules
      export const largest = (rules: number[]) => Math.max(0, ...rules);
    `,
  },
  {
    about: 'a title that continues its describe, begins with a subject or has fewer than three words',
    rule: TITLES,
    refused: [2, 3, 4, 5, 6],
    source: `
      it('is refused with a wrong key', () => {});
      it('of a few is none', async () => {});
      it.each([1, 2])('that is %i', () => {});
      it('refuses keys', () => {});
      it('A wrong key is refused.', () => {});
    `,
  },
  {
    about: 'a title that says what the program does, and calls that are no tests',
    rule: TITLES,
    refused: [],
    source: `
      describe('a key', () => {
        it('refuses a key that was revoked', () => {});
        it.each([1, 2])('accepts %i keys of a project', () => {});
        expectIn('is no title', () => {});
      });
    `,
  },
  {
    about: 'a comment or the description of a tag that is a fragment of the name below it',
    rule: COMMENTS,
    refused: [3, 5, 6, 7, 10, 13],
    source: `
      interface Message {
        /** Of the project. */
        projectId: string;
        size: number; // What it holds
        state: string; /* Whether it waits */
        // By which it is found
        key: string;
      }
      /**
       * Those that wait.
       */
      /** @param messages of the project */
      export const waiting = (messages: Message[]) => messages.filter(({ state }) => state === 'waiting');
    `,
  },
  {
    about: 'noun phrases, verbs, and lines of a comment that continue a sentence',
    rule: COMMENTS,
    refused: [],
    source: `
      interface Message {
        /** UUID of the project. */
        projectId: string;
        // A message is held by the quiet hours
        // of its target.
        state: 'held';
      }
      /**
       * Releases a message.
       * @param message held one
       * @returns whether it was held
       */
      export const release = ({ state }: Message) => state === 'held'; // Often it is.
    `,
  },
  {
    about: 'a description or summary that is a fragment of the name of its field',
    rule: DESCRIPTIONS,
    refused: [3, 4, 6],
    source: `
      export const schema = {
        id: { description: 'Of the project.' },
        state: { description: \`Whether it waits at most \${2} days.\` },
        route: {
          summary: 'What became of an event',
        },
      };
    `,
  },
  {
    about: 'descriptions that name or say something, and values that are no descriptions',
    rule: DESCRIPTIONS,
    refused: [],
    source: `
      export const schema = {
        id: { description: 'UUID of the project. What it names never changes.', title: 'Of the project' },
        state: { description: process.title },
      };
    `,
  },
  {
    about: 'texts with a genitive, “what is”, “so that”, a colon as a conjunction, no contraction, or mail',
    rule: TEXTS,
    refused: [3, 4, 5, 6, 7, 8, 9, 10, 11],
    source: `
      export const texts = {
        keys: 'Keys of jobs',
        choose: 'Choose what is watched',
        route: 'Add a route so that messages are sent.',
        secret: 'Choose a long name: it’s the only secret.',
        failed: (name: string) => \`\${name} could not be stored.\`,
        empty: 'Leave it empty for no limit.',
        link: 'We’ll mail you a link.',
        sent: 'Messages that were changed',
        refused: 'Only an OWNER can do this.',
      };
    `,
  },
  {
    about: 'plain texts, questions, labels before values, and codes',
    rule: TEXTS,
    refused: [],
    source: `
      import { roleOf } from './mail of an OWNER.ts';
      export const texts = {
        keys: 'Job keys',
        ask: 'What is a project?',
        choose: (role: string) => (role === 'OWNER' ? 'Choose environments' : 'Filtered: none'),
        is: (isExcluded: boolean) => (isExcluded ? 'is not' : 'is'),
        failed: (name: string) => \`\${name} couldn’t be stored. It’s in a mailing list.\`,
        rate: (share: string) => \`\${share} of events\`,
        exposed: (share: string) => \`That is \${share}.\`,
        roleOf,
      };
    `,
  },
  {
    about: 'a type, an interface or a class that is named by a bare participle',
    rule: TYPES,
    refused: [2, 3, 4],
    source: `
      export interface Counted { count: number }
      export type Kept = Counted | null;
      export class Held { count = 0 }
    `,
  },
  {
    about: 'nouns as types, a participle before one included',
    rule: TYPES,
    refused: [],
    source: `
      export interface CountedEvent { count: number }
      export type Feed = CountedEvent[];
      export class HeldMinutes { readonly Held = 0 }
    `,
  },
  {
    about: 'functions, methods and constructors with more than four',
    rule: PARAMETERS,
    refused: [2, 3, 5, 6],
    source: `
      export function add(a: number, b: number, c: number, d: number, e: number) { return a + b + c + d + e; }
      export const join = (a: string, b: string, c: string, d: string, e = '') => a + b + c + d + e;
      export class Sum {
        constructor(readonly a: number, b: number, c: number, d: number, e?: number) {}
        *add(a: number, b: number, c: number, d: number, ...more: number[]) {}
      }
    `,
  },
  {
    about: 'four of them, one of which holds named values',
    rule: PARAMETERS,
    refused: [],
    source: `
      export function add(a: number, b: number, c: number, { d, e }: { d: number; e: number }) {
        return a + b + c + d + e;
      }
    `,
  },
  {
    about: 'SQL that names the table of events or a partition of it',
    rule: EVENTS,
    refused: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    source: `
      export const read = 'SELECT id FROM events WHERE organization_id = $1';
      export const joined = \`SELECT g.id FROM groups AS g JOIN events AS e ON e.project_id = g.project_id\`;
      export const lateral = (id: string) => \`CROSS JOIN LATERAL (SELECT id FROM events WHERE id = \${id})\`;
      export const removed = 'DELETE FROM events WHERE id = $1';
      export const scanned = (where: string) => \`events WHERE \${where} ORDER BY id DESC\`;
      export const ofWeek = (day: string) => \`SELECT count(*) FROM events_\${day}\`;
      export const partitions = "SELECT FROM pg_inherits WHERE inhparent = 'events'::regclass";
      export const listed = 'SELECT id FROM queue, events WHERE id = queue.event_id';
      export const afterFunction = 'SELECT id FROM unnest($1::uuid[]) AS wanted (id), events AS e';
      export const ofSchema = 'SELECT id FROM public.events';
    `,
  },
  {
    about: 'SQL on other tables and columns of that name, and sentences',
    rule: EVENTS,
    refused: [],
    source: `
      export const counts = 'SELECT count FROM event_counts UNION ALL SELECT events FROM queue';
      export const renamed = 'SELECT sum(events.count) FROM (SELECT count FROM event_hours) AS events';
      export const changed = 'UPDATE erasures SET events = events + $2';
      export const column = 'SELECT id, events FROM erasures ORDER BY id, events';
      export const part = 'SELECT extract(epoch FROM at), events FROM erasures';
      export const sentence = 'Counts come from events that were stored.';
    `,
  },
];

/** Returns the lines of each planted source that its rule refuses, with the repository's options. */
async function lintPlanted(): Promise<number[][]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tocsin-lint-'));
  try {
    const options = JSON.parse(await readFile(path.join(ROOT, '.oxlintrc.json'), 'utf8')) as {
      rules: Record<string, unknown>;
      overrides: { rules: Record<string, unknown> }[];
    };
    // Some rules hold in a list of folders only.
    const rules = Object.assign({}, ...options.overrides.map((each) => each.rules), options.rules) as Record<
      string,
      unknown
    >;
    await cp(path.join(ROOT, 'scripts/lint'), path.join(directory, 'lint'), { recursive: true });
    const config = {
      jsPlugins: ['./lint/tocsin.mjs'],
      categories: { correctness: 'off' },
      overrides: PLANTED.map(({ rule }, index) => ({
        files: [`source-${index}.ts`],
        rules: { [rule]: rules[rule] },
      })),
    };
    await writeFile(path.join(directory, 'config.json'), JSON.stringify(config));
    const files = PLANTED.map((_, index) => `source-${index}.ts`);
    await Promise.all(
      PLANTED.map(({ source }, index) => writeFile(path.join(directory, `source-${index}.ts`), source)),
    );
    const linter = path.join(ROOT, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(linter, ['--config', 'config.json', '--format', 'json', ...files], {
      cwd: directory,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; labels: { span: { line: number } }[] }[];
    };
    return files.map((file) =>
      diagnostics
        .filter(({ filename }) => filename === file)
        .flatMap(({ labels }) => labels.map(({ span }) => span.line))
        .toSorted((left, right) => left - right),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('the rules of the linter', async () => {
  const refused = await lintPlanted();

  const cases = PLANTED.map(({ about, refused: lines }, index) => ({ about, lines, found: refused[index] }));

  it.each(cases.filter(({ lines }) => lines.length > 0))('refuses each planted line: $about', (each) => {
    expect(each.found).toEqual(each.lines);
  });

  it.each(cases.filter(({ lines }) => lines.length === 0))('allows each planted line: $about', (each) => {
    expect(each.found).toEqual([]);
  });

  it('lists no exception that names no table of events', async () => {
    for (const file of Object.keys(EXCEPTIONS))
      expect(namesEvents(await readFile(path.join(ROOT, file), 'utf8')), file).toBe(true);
  });
});
