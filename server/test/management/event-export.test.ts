import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('the export of events', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { id: projectId, ingest } = await user.createProject();
  const count = 1_203;
  const events = Array.from({ length: count }, (_, index) => ({
    type: index % 3 === 0 ? 'mail' : 'checkout',
    severity: 'ERROR',
    source: 'shop',
    message: `Event ${index}`,
    payload: { index },
    correlation: { order_id: `ord_${index}` },
  }));
  await ingest.post('/ingest/bulk', events);
  await ingest.post('/ingest/events', {
    type: 'note',
    severity: 'INFO',
    message: '=HYPERLINK("x"),\n"quoted"',
  });
  await service.settled();
  const read = async (query: string, cookie = user.api.cookie) => {
    const answer = await fetch(`${service.managementUrl}/events/export?${query}`, {
      headers: { cookie: cookie ?? '' },
    });
    return { answer, text: await answer.text() };
  };
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('exports all matching events as NDJSON, newest first, in the form of the list', async () => {
    const { answer, text } = await read('format=ndjson&type=checkout');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="events-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    const lines = linesOf(text);
    expect(lines).toHaveLength(802);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(802);
    const { body } = await user.api.get('/events?type=checkout&limit=20');
    expect(lines.slice(0, 20)).toEqual(body);
  });

  it('leaves the correlation id empty in CSV of an event without a correlation, and only there', async () => {
    const cellOf = async (type: string) =>
      (await read(`format=csv&type=${type}`)).text.split('\r\n')[1]?.match(/production,([^,]*),/)?.[1];
    expect(await cellOf('checkout')).toMatch(/^ord_\d+$/);
    expect(await cellOf('note')).toBe('');
  });

  it('writes CSV in which no value is a formula or breaks its line', async () => {
    const { answer, text } = await read(`format=csv&type=note&project_id=${projectId}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...rest] = text.split('\r\n');
    expect(head).toBe(
      'capturedAt,receivedAt,severity,type,source,message,release,environment,correlationId,fingerprint,id,projectId,correlation,payload,changed,amount,scrubbed,weight',
    );
    expect(rest.join('\r\n')).toMatch(
      /^[^,]+Z,[^,]+Z,info,note,,"'=HYPERLINK\(""x""\),\n""quoted""",,production,,[^,]+,evt_\w+,proj_\w+,\{\},\{\},\[\],,\{\},1\r\n$/,
    );
  });

  it('continues an export where it ended', async () => {
    const { body } = await user.api.get('/events?limit=1000&payload=omit');
    const cursor = body.at(-1).id.slice(4);
    const { text } = await read(`format=ndjson&cursor=${cursor}`);
    expect(linesOf(text)).toHaveLength(count + 1 - body.length);
  });

  it('writes an empty file if nothing matches, and no events of other organizations', async () => {
    expect((await read('format=ndjson&type=nothing')).text).toBe('');
    expect((await read('format=ndjson&project_id=nonsense')).text).toBe('');
    const stranger = await service.signUp('Eve');
    expect((await read(`format=ndjson&project_id=${projectId}`, stranger.api.cookie)).text).toBe('');
    expect((await read('format=ndjson', stranger.api.cookie)).text).toBe('');
  });

  it.each(['format=xml', 'cursor=x', 'from=yesterday', 'severity=bad'])(
    'refuses to export with ?%s before a file has begun',
    async (query) => {
      expectProblem(await user.api.get(`/events/export?${query}`), 'validation_failed');
    },
  );

  it('refuses an export without a session', async () => {
    expect((await read('format=csv', '')).answer.status).toBe(401);
  });
});
