import type { ReactNode } from 'react';

/** One of a list of facts in a line: what the eye sees by itself, the ear is told the name of. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
