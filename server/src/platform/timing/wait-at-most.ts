/** Returns the result of the work, or `late` if it takes longer than the limit: the work goes on. */
export async function waitAtMost<Result>(
  limitMs: number,
  work: Promise<Result>,
  late: NoInfer<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
