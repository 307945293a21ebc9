import { describe, expect, it } from 'vitest';
import { type Answer, ApiClient, readAll } from '../support/client.ts';
import { NAUGHTY_STRINGS } from '../support/naughty-strings.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';

/** Fewer than the service has connections: on a busy machine, a request waits for one longer than it may. */
const AT_ONCE = 4;
/** Number of parts of the strings: in the short form every place takes one, and the places together all of them. */
const PARTS = rounds(6, 1);

describe('every string of the Big List of Naughty Strings', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { id: projectId } = await user.createProject();
  const incident = { title: 'Down', severity: 'error', projectId };

  const partOf = (part: number) => NAUGHTY_STRINGS.filter((_text, index) => index % PARTS === part % PARTS);
  const storable = (text: string) => !text.includes('\0') && text.isWellFormed();
  const isName = (text: string) => {
    const length = Array.from(text.trim()).length;
    return storable(text) && length >= 1 && length <= 200 && !/[\p{Cc}\p{Bidi_Control}]/u.test(text.trim());
  };
  const forEach = async (strings: readonly string[], check: (text: string) => Promise<void>) => {
    const rest = [...strings];
    const work = async () => {
      for (let text = rest.pop(); text !== undefined; text = rest.pop()) await check(text);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  /** Expects a name back as it was sent, except for the surrounding spaces, or its refusal. */
  const expectName = (text: string, answer: Answer, field: string) => {
    if (isName(text))
      expect({ status: answer.status < 300, [field]: answer.body[field] }).toEqual({
        status: true,
        [field]: text.trim(),
      });
    else expectProblem(answer, 'validation_failed');
  };

  it.each<[what: string, path: string, part: number]>([
    ['the name of an organization', '/organizations/me', 0],
    ['the name of a project', `/projects/${projectId}`, 1],
  ])('returns each naughty string unchanged from %s', async (_what, path, part) => {
    await forEach(partOf(part), async (text) => {
      expectName(text, await user.api.patch(path, { name: text }), 'name');
    });
    const last = NAUGHTY_STRINGS.findLast(isName) ?? '';
    await user.api.patch(path, { name: last });
    expect((await user.api.get(path)).body.name).toBe(last.trim());
  });

  it('returns each naughty string unchanged as the title of an incident', async () => {
    const { id: ownId } = await user.createProject();
    const titles = new Map<string, string>();
    await forEach(partOf(2), async (title) => {
      const created = await user.api.post('/incidents', { ...incident, projectId: ownId, title });
      expectName(title, created, 'title');
      if (created.status === 201) titles.set(created.body.id, title.trim());
    });
    const listed = await readAll(user.api, `/incidents?project_id=${ownId}&limit=200`);
    expect(new Map(listed.map(({ id, title }) => [id, title]))).toEqual(titles);
    for (const [id, title] of [...titles].slice(0, 1))
      expect((await user.api.get(`/incidents/${id}`)).body.title).toBe(title);
  });

  it('returns each naughty string unchanged as the name of a key', async () => {
    // A project has at most 50 keys.
    const strings = partOf(3);
    for (let start = 0; start < strings.length; start += 49) {
      const some = strings.slice(start, start + 49);
      const path = `/projects/${(await user.createProject()).id}/api-keys`;
      await forEach(some, async (name) => expectName(name, await user.api.post(path, { name }), 'name'));
      const names = (await user.api.get(path)).body.map(({ name }: { name: string }) => name);
      const expected = ['Default', ...some.filter(isName).map((text) => text.trim())];
      expect(names.toSorted()).toEqual(expected.toSorted());
    }
  });

  it('returns each naughty string unchanged as a note, spaces included', async () => {
    const isNote = (text: string) => storable(text) && /\S/u.test(text) && Array.from(text).length <= 10_000;
    // Each answer holds the whole timeline: short ones are faster.
    const strings = partOf(4);
    for (let start = 0; start < strings.length; start += 25) {
      const some = strings.slice(start, start + 25);
      const { id } = (await user.api.post('/incidents', incident)).body;
      await forEach(some, async (note) => {
        const answer = await user.api.post(`/incidents/${id}/notes`, { note });
        if (isNote(note)) expect(answer.status).toBe(201);
        else expectProblem(answer, 'validation_failed');
      });
      const { timeline } = (await user.api.get(`/incidents/${id}`)).body;
      const notes = timeline.slice(1).map(({ note }: { note: string }) => note);
      expect(notes.toSorted()).toEqual(some.filter(isNote).toSorted());
    }
  });

  it('returns each naughty string unchanged as name and email address, or refuses it', async () => {
    // Each sign-up that succeeds hashes a password: a part of the strings has to do.
    const some = NAUGHTY_STRINGS.filter((_text, index) => index % rounds(12, 4) === 0);
    await forEach(some, async (text) => {
      const client = new ApiClient(service.managementUrl);
      const email = `${text}@example.com`;
      const answer = await client.post('/auth/signup', { name: text, email, password: 'a password' });
      if (answer.status !== 201) {
        expect(['validation_failed', 'email_taken']).toContain(answer.body.code);
        return;
      }
      expect(answer.body.user).toMatchObject({
        name: text.trim(),
        email: email.trim().toLowerCase().normalize('NFC'),
      });
      expect(answer.body.organization.name).toBe(text.trim());
      expect((await client.get('/auth/me')).body).toEqual(answer.body);
    });
  });

  it('logs nobody in with a naughty string as email address', async () => {
    const some = NAUGHTY_STRINGS.filter((_text, index) => index % rounds(24, 8) === 1);
    await forEach(some, async (email) => {
      const answer = await new ApiClient(service.managementUrl).post('/auth/login', {
        email,
        password: email,
      });
      expect([400, 401, 429]).toContain(answer.status);
    });
  });

  it('accepts each naughty string as a filter of events', async () => {
    await forEach(partOf(5), async (text) => {
      const query = new URLSearchParams({
        type: text,
        source: text,
        correlation_id: text,
        q: text.slice(0, 200),
      });
      const answer = await user.api.get(`/events?${query.toString()}`);
      if (answer.status !== 200) expectProblem(answer, 'validation_failed');
      else expect(answer.body).toEqual([]);
    });
  });
});
