import type { ReactNode } from 'react';

/** A part of an event with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {children}
    </div>
  );
}
