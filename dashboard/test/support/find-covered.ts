import type { Locator } from 'playwright-core';

/** Returns the texts of the rows that an element covers, if only in part. */
export async function findCovered(rows: Locator, element: Locator): Promise<string[]> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not shown.');
  return rows.evaluateAll(
    (found, { y, height }) =>
      found
        .filter((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top < y + height && bottom > y;
        })
        .map((row) => row.textContent),
    box,
  );
}
