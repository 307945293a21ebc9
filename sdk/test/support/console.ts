import { onTestFinished, vi } from 'vitest';

/** Silences `console.error` until the test ends, and collects its lines. */
export function collectErrorLines(): string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    lines.push(words.join(' '));
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}
