import { useMemberName } from '../../lib/members/member-names.ts';

/** A member as a circle with initials; the whole name on hover and for assistive technology. */
export function Initials({ userId }: { userId: string }) {
  const name = useMemberName(userId);
  return (
    <span
      title={name ?? undefined}
      className="inline-flex size-7 flex-none items-center justify-center rounded-full border border-line-strong bg-muted text-xs leading-none font-semibold tracking-tighter text-text"
    >
      <span aria-hidden="true">{name && initialsOf(name)}</span>
      <span className="sr-only">{name}</span>
    </span>
  );
}

/** Returns the first letters of the first and the last word: `JM` for `Jürgen Müller-Lüdenscheidt`. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  );
  return letters.join('').toUpperCase();
}
