import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { texts } from '../texts.ts';

const PAGE_ROWS = 50;

/**
 * Shows a list whose rows are all loaded page by page: `const { shown, more } = useShownRows(rows)`, then
 * `shown.map(…)` and `{more}` below.
 */
export function useShownRows<Row>(rows: Row[]): { shown: Row[]; more: ReactNode } {
  const [count, setCount] = useState(PAGE_ROWS);
  const rest = rows.length - count;
  if (rest <= 0) return { shown: rows, more: null };
  const more = (
    <div className="flex justify-center py-3">
      <Button onClick={() => setCount(count + PAGE_ROWS)}>
        {texts.showMore(Math.min(rest, PAGE_ROWS), rest)}
      </Button>
    </div>
  );
  return { shown: rows.slice(0, count), more };
}
