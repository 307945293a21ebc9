/** The key that does the same as a button, shown in it if there is room. */
export function Key({ children }: { children: string }) {
  return (
    <kbd
      aria-hidden="true"
      className="hidden font-mono text-xs font-normal opacity-80 sm:inline pointer-coarse:hidden"
    >
      {children}
    </kbd>
  );
}
