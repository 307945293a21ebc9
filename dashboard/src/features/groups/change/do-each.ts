/** Runs a change for each until `signal` aborts. Returns the results, the keys of those that failed, and the first reason. */
export async function doEach<Item extends { key: string }, Result>(
  items: readonly Item[],
  change: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<{ done: Result[]; failed: string[]; reason: string }> {
  const done: Result[] = [];
  const failed: string[] = [];
  let reason = '';
  for (const item of items) {
    if (signal?.aborted) break;
    try {
      done.push(await change(item));
    } catch (error) {
      failed.push(item.key);
      reason ||= error instanceof Error ? error.message : '';
    }
  }
  return { done, failed, reason };
}
