import { inTransaction } from '../../../server/src/database/database.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { newUuid, toUuid } from '../../../server/src/platform/ids.ts';
import { issueApiKey } from '../../../server/src/tenancy/api-keys/create-api-key.ts';
import { insertProject } from '../../../server/src/tenancy/projects/queries.ts';
import { rounds } from '../../../server/test/support/test-length.ts';
import type { TestService, TestUser } from './browser.ts';
import { HOSTILE_TEXTS, XSS_TEXTS } from './hostile-texts.ts';
import { addNotifications, expectStatus, openOtherIncidents, type SeededProject } from './seed.ts';

const MAX_NAME_LENGTH = 200;
const MAX_TYPE_LENGTH = 128;
const MEMBERS = 12;
// In the long form the limits of an organization and of a project, which has one key from the start.
const PROJECTS_BY_API = rounds(20, 100);
const KEYS_BY_API = rounds(10, 49);
const TARGETS = rounds(10, 49);
/** Number of critical incidents, enough for each page that shows them. */
const CRITICAL = 12;

/** Returns the first characters of a text, without cutting one in half. */
function cut(text: string, length: number): string {
  const characters = Array.from(text);
  let end = Math.min(characters.length, length);
  while (characters.slice(0, end).join('').length > length) end--;
  return characters.slice(0, end).join('');
}

/** Texts that are valid names, since they hold a visible character. */
export const HOSTILE_NAMES = XSS_TEXTS.map((text) => cut(text, MAX_NAME_LENGTH)).filter(
  (text) => text.trim() !== '',
);

/** Returns true if the API accepts a text as a name or a title. Pages also show stored names with control characters. */
export const isAccepted = (name: string) => !/[\p{Cc}\p{Bidi_Control}]/u.test(name.trim());

/** Names of the members of the organization, and its own previous names. */
export const MEMBER_NAMES = HOSTILE_NAMES.filter(isAccepted).slice(0, MEMBERS);

/** Puts hostile texts into everything that people and applications can write. */
export async function seedHostile(service: TestService, user: TestUser): Promise<SeededProject> {
  const { id: projectId, ingest } = await user.createProject(HOSTILE_NAMES[0] ?? '');
  const { body: results } = await expectStatus(202, ingest.post('/ingest/bulk', HOSTILE_TEXTS.map(toEvent)));
  const refused = results.filter((result: { error?: unknown }) => result.error);
  if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused.slice(0, 3))}`);
  await expectStatus(202, ingest.post('/ingest/events', everythingAtOnce()));
  await service.settled();
  const { body: critical } = await user.api.get('/incidents?status=open&limit=1');
  const { body: whole } = await user.api.get('/events?type=everything&limit=1');

  const accepted = HOSTILE_NAMES.filter(isAccepted);
  const texts = new Map<string, string>();
  const others = await openOtherIncidents(service, user, (text) => {
    const name = texts.get(text) ?? cut(accepted[texts.size + 1] ?? text, MAX_TYPE_LENGTH);
    texts.set(text, name);
    return name;
  });
  // The first ones are the names of the projects with incidents.
  for (const name of accepted.slice(2, PROJECTS_BY_API))
    await expectStatus(201, user.api.post('/projects', { name }));
  for (const name of accepted.slice(0, KEYS_BY_API)) {
    await expectStatus(201, user.api.post(`/projects/${projectId}/api-keys`, { name }));
  }
  await addNotifications(user, projectId, accepted.slice(0, TARGETS));
  await insertUnaccepted(service, user, projectId);
  await seedMembers(service, user);
  const byHand = await seedIncidents(service, user, projectId);
  return {
    projectId,
    eventId: whole[0].id,
    groupId: whole[0].groupId,
    incidentIds: { ...byHand, ...others, risk: critical[0].id },
  };
}

/** Inserts values that the API refuses, but that may be stored. */
async function insertUnaccepted(service: TestService, user: TestUser, projectId: string): Promise<void> {
  const { pool } = service.database;
  const nowMs = service.context.clock.now();
  const accepted = HOSTILE_NAMES.filter(isAccepted);
  const refused = HOSTILE_NAMES.filter((name) => !isAccepted(name));
  for (const name of [...refused, ...accepted.slice(PROJECTS_BY_API)]) {
    await insertProject(pool, {
      id: newUuid(nowMs),
      organizationId: toUuid('org', user.organizationId) ?? '',
      name: name.trim(),
      environment: 'production',
      groupPrefix: newUuid(nowMs),
      createdAt: new Date(nowMs),
    });
  }
  await inTransaction({ pool, clock: systemClock }, async (transaction) => {
    for (const name of [...refused, ...accepted.slice(KEYS_BY_API)]) {
      await issueApiKey(transaction, {
        projectId: toUuid('proj', projectId) ?? '',
        name: name.trim(),
        madeByToken: null,
      });
    }
  });
}

function toEvent(text: string, index: number) {
  return {
    type: cut(text, MAX_TYPE_LENGTH),
    severity: index < CRITICAL ? 'CRITICAL' : index % 2 ? 'WARN' : 'INFO',
    message: text,
    source: cut(text, 256),
    correlation: { [cut(text, 256)]: cut(text, 256) },
    payload: { [text]: text, nested: { [text]: [text, { [text]: null }] } },
    release: cut(text, MAX_TYPE_LENGTH),
  };
}

/** Returns one event whose payload and stack hold all texts. */
function everythingAtOnce() {
  return {
    type: 'everything',
    severity: 'INFO',
    message: HOSTILE_TEXTS.join(' '),
    correlation: Object.fromEntries(XSS_TEXTS.slice(0, 32).map((text) => [cut(text, 256), cut(text, 256)])),
    payload: {
      frames: HOSTILE_TEXTS.map((text) => ({ function: text, file: text, line: 1, inApplication: true })),
      keys: Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, { [text]: text }])),
      values: HOSTILE_TEXTS,
    },
  };
}

async function seedMembers(service: TestService, owner: TestUser): Promise<void> {
  for (const name of MEMBER_NAMES) {
    const { id: userId } = await service.signUp(name);
    await expectStatus(201, owner.api.post(`/organizations/${owner.organizationId}/members`, { userId }));
  }
  for (const name of MEMBER_NAMES) {
    await expectStatus(200, owner.api.patch('/organizations/me', { name }));
  }
}

async function seedIncidents({ database }: TestService, user: TestUser, projectId: string) {
  const create = async (title: string) => {
    const incident = { title: isAccepted(title) ? title : 'Refused', severity: 'warn', projectId };
    const { body } = await expectStatus(201, user.api.post('/incidents', incident));
    if (!isAccepted(title)) {
      const parameters = [title.trim(), toUuid('inc', body.id)];
      await database.pool.query('UPDATE incidents SET title = $1 WHERE id = $2', parameters);
    }
    return String(body.id);
  };
  const ids: string[] = [];
  for (const title of HOSTILE_NAMES) ids.push(await create(title));
  const [open = '', investigating = '', resolved = ''] = ids;
  for (const note of XSS_TEXTS) await expectStatus(201, user.api.post(`/incidents/${open}/notes`, { note }));
  await expectStatus(
    201,
    user.api.post(`/incidents/${open}/notes`, { note: cut(HOSTILE_TEXTS.join('\n'), 9_900) }),
  );
  for (const title of HOSTILE_NAMES.filter(isAccepted).slice(10, 20)) {
    await expectStatus(200, user.api.patch(`/incidents/${open}`, { title }));
  }
  await expectStatus(200, user.api.patch(`/incidents/${investigating}`, { status: 'investigating' }));
  await expectStatus(200, user.api.patch(`/incidents/${resolved}`, { status: 'resolved' }));
  return { open, investigating, resolved };
}
