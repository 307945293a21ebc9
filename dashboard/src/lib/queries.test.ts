import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api.ts';
import { expensive, isReadAgain, queryClient, StrictQueryClient } from './queries.ts';

const QUERY_KEY = ['incidents'];

/** Starts a query whose answers the test releases, in the order of its requests. */
function startQuery() {
  const client = new StrictQueryClient();
  const answers: ((answer: string) => void)[] = [];
  const options = {
    queryKey: QUERY_KEY,
    queryFn: () => new Promise<string>((resolve) => void answers.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  };
  const readData = () => client.getQueryData(QUERY_KEY);
  return { client, options, answers, readData };
}

describe('the invalidation of a query whose first answer is on its way', () => {
  it('reads a visible query again after an answer from before the invalidation', async () => {
    const { client, options, answers, readData } = startQuery();
    const stop = new QueryObserver(client, options).subscribe(() => {});
    await expect.poll(() => answers.length).toBe(1);
    const invalidated = client.invalidateQueries({ queryKey: QUERY_KEY });
    answers[0]?.('before the change');
    await expect.poll(() => answers.length).toBe(2);
    expect(readData()).toBe('before the change');
    answers[1]?.('after the change');
    await invalidated;
    expect(readData()).toBe('after the change');
    stop();
    client.clear();
  });

  it('leaves a query that is not shown out of date', async () => {
    const { client, options, answers } = startQuery();
    const prefetched = client.prefetchQuery(options);
    await expect.poll(() => answers.length).toBe(1);
    const invalidated = client.invalidateQueries({ queryKey: QUERY_KEY });
    answers[0]?.('before the change');
    await Promise.all([prefetched, invalidated]);
    expect(client.getQueryState(QUERY_KEY)?.isInvalidated).toBe(true);
    client.clear();
  });
});

describe('what is read again automatically', () => {
  const refusal = (retryAfterSeconds: number | null) =>
    new ApiError(503, { detail: 'The service is busy.' }, retryAfterSeconds);

  it.each([
    ['an expensive query that was refused under load', expensive(), refusal(60), true],
    ['an expensive query that failed for another reason', expensive(), refusal(null), false],
    ['a query that is renewed', { refetchInterval: 60_000 }, refusal(null), true],
    ['a query that is not renewed', {}, refusal(60), false],
  ])('tells as its options do if %s is read again', async (_name, options, error, expected) => {
    const queryFn = () => Promise.reject(error);
    const observer = new QueryObserver(queryClient, {
      ...options,
      queryKey: QUERY_KEY,
      queryFn,
      retry: false,
    });
    const stop = observer.subscribe(() => {});
    await expect.poll(() => observer.getCurrentResult().error).toBe(error);
    expect(isReadAgain(error)).toBe(expected);
    stop();
    expect(isReadAgain(error)).toBe(false);
    queryClient.clear();
  });
});
