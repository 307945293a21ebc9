import type { Group } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { isNew, isRegressed } from './group-words.ts';
import { texts } from './texts.ts';

/** The marks of a group beside its state: new, or regressed. */
export function GroupMarks({ group }: { group: Group }) {
  const now = useNow();
  return (
    <>
      {isRegressed(group) && <Mark className="border-error text-error">{texts.list.regressed}</Mark>}
      {isNew(group, now) && <Mark className="border-accent text-accent">{texts.list.new}</Mark>}
    </>
  );
}

function Mark({ className, children }: { className: string; children: string }) {
  return (
    <span className={`flex-none rounded-full border px-1.5 text-xs leading-4 whitespace-nowrap ${className}`}>
      {children}
    </span>
  );
}
