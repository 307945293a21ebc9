import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBreaches } from '../../../scripts/imports/find-breaches.mjs';
import { readAllImports, readImports } from '../../../scripts/imports/read-imports.mjs';
import { ABSENCES } from '../../../scripts/imports/rules.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const today = readAllImports(ROOT);

/** Returns the output of the check for the imports of one line in a file. */
const breachesOf = (file: string, line: string) => findBreaches(readImports(file, line));

/** Returns the output of the check, cycles included, if a file of the present tree also held this line. */
const breachesOfTreeWith = (file: string, line: string) =>
  findBreaches([...today, ...readImports(file, line)]);

/** One import that each absence refuses: the file, what it imports, and the words of the rule. */
const PLANTED: [file: string, specifier: string, rule: string][] = [
  ['server/src/platform/log.ts', '../incidents/schema.ts', 'know no resource'],
  ['server/src/database/database.ts', '../tenancy/session.ts', 'know no resource'],
  ['server/src/http/app.ts', '../roles/role.ts', 'know no resource'],
  ['server/src/queue/queue.ts', '../http/app.ts', '`queue` knows no HTTP'],
  ['server/src/queue/queue.ts', 'fastify', '`queue` knows no HTTP'],
  ['server/src/queue/queries.ts', '../events/schema.ts', '`queue` knows no HTTP'],
  ['server/src/events/reader.ts', '../ingestion/event/to-event.ts', 'A resource knows nothing of ingestion'],
  ['server/src/incidents/schema.ts', '../risk/live/watch.ts', 'A resource knows nothing of ingestion'],
  ['server/src/incidents/schema.ts', '@tocsin/detector', 'A resource knows nothing of ingestion'],
  [
    'server/src/tenancy/projects/queries.ts',
    '../../realtime/hub.ts',
    'A resource knows nothing of ingestion',
  ],
  ['server/src/tenancy/projects/routes.ts', '../../queue/queue.ts', 'do not know that a queue exists'],
  ['server/src/realtime/hub.ts', '../queue/queries.ts', 'do not know that a queue exists'],
  ['server/src/ingestion/mappers/webhook.ts', '../../tenancy/accounts/queries.ts', 'Ingestion knows no user'],
  ['server/src/ingestion/mappers/webhook.ts', '../../tenancy/session.ts', 'Ingestion knows no user'],
  ['server/src/ingestion/mappers/webhook.ts', '../../risk/live/watch.ts', 'Ingestion knows no user'],
  ['server/src/ingestion/routes.ts', '@tocsin/detector', 'Ingestion knows no user'],
  [
    'packages/detector/src/series/level.ts',
    '../../../../server/src/database/database.ts',
    'nothing but itself',
  ],
  ['packages/detector/src/series/level.ts', '../../../../server/src/platform/clock.ts', 'nothing but itself'],
  ['packages/detector/src/series/level.ts', 'node:fs', 'nothing but itself'],
  ['packages/detector/src/series/level.ts', 'pg', 'nothing but itself'],
  ['packages/embedded-postgres/src/lock/lock.ts', 'pino', 'nothing but itself, Node and the driver'],
  [
    'server/src/risk/live/watch.ts',
    '../../../../packages/detector/src/series/level.ts',
    'by its entry alone',
  ],
  ['packages/detector/src/series/level.ts', '@tocsin/simulation/random', 'only for tests'],
  ['server/src/incidents/schema.ts', '../../test/support/service.ts', 'only for tests'],
  ['server/src/ingestion/routes.ts', './intake/testing.ts', 'only for tests'],
  ['sdk/src/client.ts', '../../server/src/platform/json-bytes.ts', 'The SDK knows nothing'],
  ['sdk/src/client.ts', 'undici', 'The SDK knows nothing'],
  ['server/src/http/static-pages.ts', '../../../dashboard/src/lib/api.ts', 'does not know the dashboard'],
  ['server/src/cli/start.ts', '../tenancy/accounts/routes.ts', 'Only roles put routes together'],
  ['dashboard/src/lib/api.ts', '../../../server/src/incidents/queries.ts', 'takes types alone'],
  ['dashboard/src/ui/theme.ts', '@tocsin/detector', 'takes types alone'],
];

/** Imports against the order alone. */
const CLIMBING: [file: string, specifier: string][] = [
  ['server/src/roles/start.ts', '../cli/start.ts'],
  ['server/src/outbox/queries.ts', '../notifications/targets/queries.ts'],
  ['server/src/outbox/queries.ts', '../incidents/queries.ts'],
  ['server/src/tenancy/audit/queries.ts', '../accounts/queries.ts'],
  ['server/src/tenancy/organizations/queries.ts', '../projects/queries.ts'],
  ['server/src/tenancy/accounts/queries.ts', '../api-keys/queries.ts'],
  ['server/src/ingestion/event/to-event.ts', '../routes.ts'],
  ['server/src/ingestion/mappers/webhook.ts', '../authentication/authenticate.ts'],
  ['server/src/risk/settings/schema.ts', '../headline/words.ts'],
  ['server/src/risk/headline/words.ts', '../live/round.ts'],
  ['server/src/risk/live/round.ts', '../replay/preview.ts'],
  ['server/src/processing/processor.ts', '../ingestion/find-job.ts'],
  ['server/src/platform/log.ts', '../database/database.ts'],
  ['server/src/database/database.ts', '../http/app.ts'],
  ['packages/detector/src/state/series-state.ts', '../series/level.ts'],
  ['packages/detector/src/group/series-group.ts', '../project/project-parts.ts'],
  ['packages/detector/src/heartbeat/heartbeat.ts', '../exposure/share-level.ts'],
  ['packages/detector/src/project/project-detector.ts', '../saving/snapshot.ts'],
  ['dashboard/src/lib/api.ts', '../ui/controls/button.tsx'],
  ['dashboard/src/ui/controls/button.tsx', '../../features/auth/queries.ts'],
  ['dashboard/src/features/auth/queries.ts', '../events/queries.ts'],
  ['dashboard/src/features/auth/queries.ts', '../../app/router.tsx'],
];

describe('the rules on imports', () => {
  it('finds no breach in the present tree', () => {
    expect(today.length).toBeGreaterThan(2_000);
    expect(findBreaches(today)).toEqual([]);
  });

  it.each(PLANTED)('refuses in %s an import of %s, since of what is absent: %s', (file, specifier, rule) => {
    expect(breachesOf(file, `import { x } from '${specifier}';`)).toContainEqual(
      expect.stringContaining(rule),
    );
  });

  it.each(CLIMBING)('refuses in %s an import of %s, which does not stand below it', (file, specifier) => {
    expect(breachesOf(file, `import { x } from '${specifier}';`)).toContainEqual(
      expect.stringContaining('which does not stand below it'),
    );
  });

  it.each([
    "import type { Hub } from '../realtime/hub.ts';",
    "import '../realtime/hub.ts';",
    "export { Hub } from '../realtime/hub.ts';",
    "export type * from '../realtime/hub.ts';",
    "const hub = await import('../realtime/hub.ts');",
    "type Hub = import('../realtime/hub.ts').Hub;",
    "const hub = new URL('../realtime/hub.ts', import.meta.url);",
    'import {\n  type Hub,\n} from "../realtime/hub.ts";',
  ])('reads an import however it is written: %s', (line) => {
    expect(breachesOf('server/src/incidents/schema.ts', line)).toContainEqual(
      expect.stringContaining('server/src/incidents/schema.ts imports server/src/realtime/hub.ts'),
    );
  });

  it.each([
    ['server/src/http/http-app.ts', './app.ts'],
    ['server/src/notifications/delivery/situation.ts', './plan-sends.ts'],
    ['packages/detector/src/state/series-head.ts', './series-layout.ts'],
    ['dashboard/src/features/events/filters/filter.ts', './use-event-search.ts'],
  ])('refuses that %s and %s import each other, types included', (file, specifier) => {
    expect(breachesOfTreeWith(file, `import type { X } from '${specifier}';`)).toContainEqual(
      expect.stringMatching(/^A circle of files: .* imports /),
    );
  });

  it('refuses that two folders import each other, types included', () => {
    const line = "import type { SlotTable } from '../charts/slot-table.tsx';";
    expect(breachesOfTreeWith('dashboard/src/ui/controls/button.tsx', line)).toContainEqual(
      expect.stringMatching(/^A circle of folders: .*controls\/button.tsx imports/),
    );
  });

  it.each([
    ['server/src/groups/queries.ts', './change/plan-change.ts'],
    ['server/src/incidents/risk-queries.ts', './groups/group-queries.ts'],
    ['server/src/notifications/channels/slack/slack.ts', '../registry.ts'],
    ['server/src/cli/client/login.ts', '../open-database.ts'],
    ['packages/embedded-postgres/src/lock/lock.ts', '../supervisor.ts'],
    ['sdk/src/clean/json.ts', '../call.ts'],
    ['dashboard/src/features/events/queries.ts', './list/event-grid.tsx'],
    ['dashboard/src/lib/format.ts', './search/next-page.ts'],
  ])(
    'refuses that %s imports %s, since a folder and its subfolder import in one direction',
    (file, specifier) => {
      const breaches = breachesOfTreeWith(file, `import type { X } from '${specifier}';`);
      const target = path.posix.join(path.posix.dirname(file), specifier);
      expect(breaches.filter((breach) => breach.startsWith('A circle of folders: '))).toEqual([
        expect.stringContaining(`${file} imports ${target}`),
      ]);
    },
  );

  it('refuses a folder that has no place in the order', () => {
    expect(breachesOf('server/src/utils/strings.ts', "import '../platform/log.ts';")).toEqual([
      expect.stringContaining('has no place in the order'),
    ]);
  });

  it('lets the types of the API through one file of the dashboard, and no code', () => {
    const file = 'dashboard/src/lib/api-types.ts';
    const schema = '../../../server/src/incidents/schema.ts';
    expect(breachesOfTreeWith(file, `import type { Incident } from '${schema}';`)).toEqual([]);
    expect(breachesOfTreeWith(file, `import { Incident } from '${schema}';`)).toHaveLength(1);
  });

  it('lets the code of the shared files of the server into the dashboard, which import no code themselves', () => {
    const limits = 'server/src/risk/settings/limits.ts';
    const line = `import { BUDGET } from '../../../../${limits}';`;
    expect(breachesOfTreeWith('dashboard/src/features/alarms/rule-list.tsx', line)).toEqual([]);
    expect(breachesOfTreeWith(limits, "import { Severity } from '../../events/severity.ts';")).toEqual([
      expect.stringContaining('imports types alone'),
    ]);
    expect(breachesOfTreeWith(limits, "import type { Severity } from '../../events/severity.ts';")).toEqual(
      [],
    );
  });

  it('holds each sentence of ARCHITECTURE.md on what is absent, and each is seen to refuse something', async () => {
    const text = await readFile(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const [, list = ''] = /^Absences[^\n]*:\n\n((?:- [^\n]+\n(?: {2}[^\n]+\n)*)+)/m.exec(text) ?? [];
    const bullets = list
      .split(/^- /m)
      .filter(Boolean)
      .map((bullet) => bullet.replaceAll(/\s+/g, ' ').trim());
    const sentences = ABSENCES.map(({ sentence }) => sentence);
    expect(bullets.length).toBeGreaterThan(6);
    // The rule on the environment is held by server/test/static/conventions.test.ts.
    const held = [...sentences, bullets.find((bullet) => bullet.startsWith('Nothing but `main.ts`'))];
    expect(bullets.filter((bullet) => !held.includes(bullet))).toEqual([]);
    for (const sentence of sentences) {
      expect(
        PLANTED.some(([, , rule]) => sentence.includes(rule)),
        sentence,
      ).toBe(true);
    }
  });
});
