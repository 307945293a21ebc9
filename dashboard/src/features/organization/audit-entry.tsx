import { Link } from '@tanstack/react-router';
import type { AuditRecord } from '../../lib/api-types.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { describeChanges, type FieldChange, listChanges } from './audit-changes.ts';
import { describeAction, nameTarget } from './audit-words.ts';
import { texts } from './texts.ts';

const words = texts.auditEntry;

interface AuditEntryRowProps {
  entry: AuditRecord;
  /** Names of targets by id. */
  names: ReadonlyMap<string, string>;
}

/** An entry: the person, the action in words, the target, the changed fields, and the time. */
export function AuditEntryRow({ entry, names }: AuditEntryRowProps) {
  const { user, token, createdAt } = entry;
  const name = nameTarget(entry, names);
  const changes = listChanges(entry, names).filter((change) => !isSaid(change, name));
  const [action, rest] = describeAction(entry).split(' …');
  return (
    <li className="flex flex-wrap gap-x-4 border-b border-line py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="wrap-anywhere">
          <span className="font-semibold">{user.name ?? user.id}</span>{' '}
          {token !== null && words.byToken(token.name)} {action}
          {name !== null && (
            <>
              {' '}
              <Target entry={entry} name={name} />
            </>
          )}
          {rest}
        </p>
        {changes.length > 0 && (
          <p className="mt-0.5 text-sm wrap-anywhere text-text-muted">
            {describeChanges(changes, entry.before !== null && entry.after !== null)}
          </p>
        )}
      </div>
      <RelativeTime at={createdAt} className="text-sm text-text-muted" />
    </li>
  );
}

/** Returns true for a change that only adds or removes the name of the target, which the sentence says already. */
function isSaid({ from, to }: FieldChange, name: string | null): boolean {
  return (from === null && to === name) || (to === null && from === name);
}

/** Links to the changed resource, if it has a page and still exists. */
function Target({ entry: { action, targetId }, name }: { entry: AuditRecord; name: string }) {
  const className = 'underline decoration-line-strong underline-offset-2 hover:decoration-current';
  if (targetId.startsWith('inc_')) {
    return (
      <Link to="/incidents/$incidentId" params={{ incidentId: targetId }} className={className}>
        {name}
      </Link>
    );
  }
  if (targetId.startsWith('grp_')) {
    return (
      <Link to="/groups/$groupId" params={{ groupId: targetId }} className={className}>
        {name}
      </Link>
    );
  }
  if (targetId.startsWith('proj_') && action !== 'project.deleted') {
    return (
      <Link to="/projects/$projectId" params={{ projectId: targetId }} className={className}>
        {name}
      </Link>
    );
  }
  return <span title={targetId}>{name}</span>;
}
