import { type ReactNode, useState } from 'react';
import { texts } from '../texts.ts';
import { LongText, MoreButton } from './long-text.tsx';
import {
  type Container,
  ENTRIES_STEP,
  firstEntries,
  isContainer,
  MAX_INDENTED_DEPTH,
  sizeOf,
  startsOpen,
} from './tree-bounds.ts';

interface JsonTreeProps {
  label: string;
  value: Container;
  /** Returns the actions after a value that is no container. */
  actionsOf?: ActionsOf | undefined;
}

type ActionsOf = (path: string[], value: unknown) => ReactNode;

/**
 * A JSON value as a tree. Only open nodes are drawn, at most a hundred entries at a time: the
 * largest payload costs no more than a small one.
 */
export function JsonTree({ label, value, actionsOf }: JsonTreeProps) {
  if (sizeOf(value) === 0) return <p className="text-sm text-text-muted">{texts.event.emptyTree}</p>;
  return (
    <div role="group" aria-label={label} className="overflow-x-auto font-mono text-xs leading-5">
      <Entries container={value} path={[]} actionsOf={actionsOf} />
    </div>
  );
}

interface NodeProps {
  container: Container;
  /** Keys and indexes that lead to it. */
  path: string[];
  actionsOf: ActionsOf | undefined;
}

function Entries({ container, path, actionsOf }: NodeProps) {
  const depth = path.length;
  const [limit, setLimit] = useState(ENTRIES_STEP);
  const { entries, left } = firstEntries(container, limit);
  const indent =
    depth === 0 ? '' : `border-l border-line ${depth <= MAX_INDENTED_DEPTH ? 'ml-1.5 pl-3' : ''}`;
  return (
    <ul className={indent}>
      {entries.map(([key, value]) => (
        <li key={key}>
          {isContainer(value) && sizeOf(value) > 0 ? (
            <Branch name={key} container={value} path={[...path, key]} actionsOf={actionsOf} />
          ) : (
            <div className="pl-4">
              <Key name={key} /> <Leaf value={value} /> {actionsOf?.([...path, key], value)}
            </div>
          )}
        </li>
      ))}
      {left > 0 && (
        <li className="pl-4">
          <MoreButton onClick={() => setLimit(limit + ENTRIES_STEP)}>
            {texts.event.showMore(Math.min(left, ENTRIES_STEP), left)}
          </MoreButton>
        </li>
      )}
    </ul>
  );
}

function Branch({ name, container, path, actionsOf }: NodeProps & { name: string }) {
  const [open, setOpen] = useState(() => startsOpen(container, path.length));
  const size = sizeOf(container);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 w-full items-center rounded text-left pointer-coarse:min-h-10 hover:bg-hover"
      >
        <span aria-hidden="true" className="w-4 shrink-0 text-text-muted">
          {open ? '▾' : '▸'}
        </span>
        <span className="min-w-0">
          <Key name={name} />{' '}
          <span className="text-text-muted">{texts.event.size(size, Array.isArray(container))}</span>
        </span>
      </button>
      {open && <Entries {...{ container, path, actionsOf }} />}
    </>
  );
}

const MAX_KEY_LENGTH = 200;

function Key({ name }: { name: string }) {
  return (
    <span className="wrap-anywhere text-text-muted" title={name.length > MAX_KEY_LENGTH ? name : undefined}>
      {name === '' ? '""' : name.slice(0, MAX_KEY_LENGTH)}
      {name.length > MAX_KEY_LENGTH && '…'}:
    </span>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return value === '' ? <Empty>""</Empty> : <LongText text={value} />;
  if (Array.isArray(value)) return <Empty>[]</Empty>;
  if (typeof value === 'object' && value !== null) return <Empty>{'{}'}</Empty>;
  return <span className="font-semibold">{String(value)}</span>;
}

function Empty({ children }: { children: string }) {
  return <span className="text-text-muted">{children}</span>;
}
