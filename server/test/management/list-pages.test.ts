import { describe, expect, it } from 'vitest';
import { type ApiClient, nextPage, readPages } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

// The clock does not move: all members join at the same time.
const service = await startTestService({ roles: ['management'], clock: new StillClock() });
const owner = await service.signUp('Ada');
const { id: projectId } = await owner.createProject('Project 0');
for (let count = 1; count < 7; count++) {
  await owner.createProject(`Project ${count}`);
  await owner.api.post(`/projects/${projectId}/api-keys`, { name: `Key ${count}` });
  await owner.addMember(`Member ${count}`);
}

/** Reads all pages of a list, each as its rows. */
async function pagesOf(api: ApiClient, path: string): Promise<object[][]> {
  return (await readPages(api, path)).map(({ body }) => body);
}

describe('the lists of projects, keys and members', () => {
  const paths = ['/projects', `/projects/${projectId}/api-keys`, '/organizations/members'];

  it.each(paths)('lists all %s by default, and in pages without gaps or repeats on request', async (path) => {
    const [whole = [], ...rest] = await pagesOf(owner.api, path);
    expect(rest).toEqual([]);
    expect(whole).toHaveLength(7);
    for (const limit of [1, 2, 3, 6, 7]) {
      const pages = await pagesOf(owner.api, `${path}?limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
    expect(await pagesOf(owner.api, `${path}?limit=100000`)).toEqual([whole]);
  });

  it.each(paths)('refuses a wrong limit or cursor of %s', async (path) => {
    for (const limit of ['0', '-1', 'abc', '1.5', '']) {
      expectInvalid(await owner.api.get(`${path}?limit=${limit}`), '/limit');
    }
    for (const cursor of ['nonsense', '', '0-0', `zzzzzzzzzz-${'0'.repeat(26)}`, '\0']) {
      expectInvalid(await owner.api.get(`${path}?cursor=${encodeURIComponent(cursor)}`), '/cursor');
    }
  });

  it('continues a list after the last member of a page has left', async () => {
    const { body, headers } = await owner.api.get('/organizations/members?limit=3');
    const next = nextPage({ headers }) ?? '';
    const [, , third] = body;
    const before = (await owner.api.get(next)).body;
    await owner.api.delete(`/organizations/${owner.organizationId}/members/${third.user.id}`);
    expect((await owner.api.get(next)).body).toEqual(before);
    expect(before).toHaveLength(3);
  });

  it('shows nothing of another organization with its cursor', async () => {
    const stranger = await service.signUp('Eve');
    for (const path of ['/projects?limit=1', '/organizations/members?limit=1']) {
      const link = (await owner.api.get(path)).headers.get('link') ?? '';
      const { body } = await stranger.api.get(/<([^>]+)>/.exec(link)?.[1] ?? '');
      expect(JSON.stringify(body)).not.toMatch(/Project|Member \d|Ada/);
    }
  });
});
