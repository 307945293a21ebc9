import { useEffect, useState } from 'react';

/** Returns a text once it has not changed for a moment: a request for every letter is avoided. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
