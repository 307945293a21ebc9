import { describe, expect, it } from 'vitest';
import { readPages } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';

const MAX_SCANNED = 100_000;
/** Maximum events scanned for a page, and beside a correlation or a fingerprint. */
const MAX_LISTED = 20_000;
const MAX_LISTED_OF_VALUE = 5_000;
const EVENTS = MAX_SCANNED + 20_000;

describe('what is rare among very many events', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const project = await user.createProject();
  const end = service.context.clock.now() - 60_000;
  // Ten a second for hours; every 30,000th is special, the oldest one first.
  const special = (value: string, other: string) => `CASE WHEN n % 30000 = 0 THEN ${value} ELSE ${other} END`;
  await storeEvents(service.database.pool, project, {
    count: EVENTS,
    firstMs: end - 100 * (EVENTS - 1),
    stepMs: 100,
    severity: special("'critical'", "'info'"),
    type: special("'rare'", "'common'"),
    message: special("'A needle ' || n + 1", "'Hay'"),
    fingerprint: special("'r'", "'f'"),
  });
  const NEEDLES = ['A needle 90001', 'A needle 60001', 'A needle 30001', 'A needle 1'];

  /** Returns the messages of all pages, page by page. */
  const pages = async (query: string): Promise<string[][]> =>
    (await readPages(user.api, `/events?${query}`)).map(({ body }) =>
      body.map(({ message }: { message: string }) => message),
    );

  it.each(['type=rare', 'severity=critical', `type=rare&severity=critical&project_id=${project.id}`])(
    'finds one rare event among very many at once with ?%s',
    async (query) => {
      expect(await pages(query)).toEqual([NEEDLES]);
      expect(await pages(`${query}&limit=3`)).toEqual([NEEDLES.slice(0, 3), NEEDLES.slice(3)]);
      expect(await pages(`${query}&limit=1`)).toEqual(NEEDLES.map((needle) => [needle]));
      const to = new Date(end - 100 * (EVENTS - 60_001)).toISOString();
      expect(await pages(`${query}&to=${to}`)).toEqual([NEEDLES.slice(2)]);
      expect(await pages(`${query}&from=${to}`)).toEqual([NEEDLES.slice(0, 1)]);
      expect(await pages(`${query}&source=none`)).toEqual([[]]);
    },
  );

  /** Returns the expected pages if each scans so many events; a last one finds that there are no more. */
  const inPagesOf = (scanned: number): string[][] =>
    Array.from({ length: EVENTS / scanned + 1 }, (_, page) =>
      NEEDLES.filter((needle) => Math.floor((EVENTS - Number(needle.slice(9))) / scanned) === page),
    );

  it('finds rare words in pages that may be short, without leaving one out', async () => {
    expect(await pages('q=NEEDLE')).toEqual(inPagesOf(MAX_LISTED));
    expect(await pages('q=needle&limit=2')).toEqual(inPagesOf(MAX_LISTED));
    expect(await pages(`q=needle&project_id=${project.id}`)).toEqual(inPagesOf(MAX_LISTED / 2));
    expect((await pages('q=needle&type=common')).flat()).toEqual([]);
    expect(await pages('q=needle&fingerprint=r')).toEqual([NEEDLES]);
    expect(await pages('correlation_id=c&type=rare')).toEqual(inPagesOf(MAX_LISTED_OF_VALUE));
  });

  /** Returns the time since which all was scanned: the first event that was not counted is one millisecond older. */
  const edge = (scanned: number) => end - 100 * scanned + 1;

  it('returns only the scanned buckets of a histogram of rare events', async () => {
    const buckets = async (query: string): Promise<{ start: string; critical: number }[]> =>
      (await user.api.get(`/events/histogram?interval=60&${query}`)).body;
    const sum = (all: { critical: number }[]) => all.reduce((total, { critical }) => total + critical, 0);
    expect(sum(await buckets('type=rare'))).toBe(4);
    expect(sum(await buckets('fingerprint=r'))).toBe(4);
    expect((await buckets('fingerprint=r')).length).toBeGreaterThan(24 * 60);
    const looked = await buckets('q=needle');
    expect(sum(looked)).toBe(3);
    expect(Date.parse(looked[0]?.start ?? '')).toBe(Math.floor(edge(MAX_SCANNED) / 60_000) * 60_000);
  });

  it('reports with each answer how far back the search is complete', async () => {
    const scanOf = async (address: string) => {
      const { headers, body } = await user.api.get(address);
      const from = headers.get('scanned-from');
      return { from: from && Date.parse(from), events: headers.get('scanned-events'), body };
    };
    for (const [address, scanned] of [
      ['/events/histogram?q=needle', MAX_SCANNED],
      ['/events/histogram?correlation_id=c', MAX_SCANNED / 2],
      ['/events/top?by=type&q=a', MAX_SCANNED],
      ['/events/top?by=fingerprint&q=a', MAX_SCANNED],
    ] as const) {
      expect(await scanOf(address), address).toMatchObject({
        from: edge(scanned),
        events: String(scanned),
      });
    }
    // A page continues after the last scanned event.
    expect(await scanOf('/events?q=needle')).toMatchObject({
      from: edge(MAX_LISTED - 1),
      events: String(MAX_LISTED),
    });
    for (const exact of [
      '/events?q=hay',
      '/events?type=rare',
      '/events/histogram?type=rare',
      '/events/histogram?fingerprint=r',
      '/events/top?by=type',
      '/events/top?by=fingerprint',
      '/events/top?by=fingerprint&type=rare',
    ])
      expect(await scanOf(exact), exact).toMatchObject({ from: null, events: null });
  });

  it('counts all rare events by consecutive scans', async () => {
    const counts: number[] = [];
    for (let to = new Date(end + 1).toISOString(); to !== ''; ) {
      const address = `/events/histogram?q=needle&from=${new Date(end - 86_400_000).toISOString()}&to=${to}`;
      const { headers, body } = await user.api.get(address);
      counts.push(body.reduce((sum: number, { critical }: { critical: number }) => sum + critical, 0));
      to = headers.get('scanned-from') ?? '';
    }
    expect(counts).toEqual([3, 1]);
  });

  it('lists rare values among the most frequent of their type, and counts all of them exactly', async () => {
    const top = async (query: string): Promise<{ value: string; count: number }[]> =>
      (await user.api.get(`/events/top?${query}`)).body.map(
        ({ value, count }: { value: string; count: number }) => ({
          value,
          count,
        }),
      );
    expect(await top('by=fingerprint&type=rare')).toEqual([{ value: 'r', count: 4 }]);
    expect(await top('by=fingerprint')).toEqual([
      { value: 'f', count: EVENTS - 4 },
      { value: 'r', count: 4 },
    ]);
    expect(await top('by=type')).toEqual([
      { value: 'common', count: EVENTS - 4 },
      { value: 'rare', count: 4 },
    ]);
  });
});
