import type { ReactNode } from 'react';

interface TableProps {
  label: string;
  /** Titles; in an object, those of columns that narrow screens leave out. */
  columns: (string | { wide: string })[];
  /** Name of a last column of buttons, for screen readers. */
  actions?: string;
  children: ReactNode;
}

/** A table of a section, of few rows. */
export function Table({ label, columns, actions, children }: TableProps) {
  const head = (title: string, className = '') => (
    <th key={title} className={`py-2 pr-4 font-normal ${className}`}>
      {title}
    </th>
  );
  return (
    <table aria-label={label} className="w-full text-left">
      <thead className="text-sm text-text-muted">
        <tr className="border-b border-line">
          {columns.map((column) =>
            typeof column === 'string' ? head(column) : head(column.wide, 'hidden sm:table-cell'),
          )}
          {actions && (
            <th className="py-2">
              <span className="sr-only">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
