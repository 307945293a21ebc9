import type { ReactNode } from 'react';

/** One of a list of facts in a line: its name is for screen readers where it is plain to see. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
