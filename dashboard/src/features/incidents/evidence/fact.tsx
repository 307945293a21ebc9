import type { ReactNode } from 'react';

/** One of several facts in a line. Its name is visible only to screen readers. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
