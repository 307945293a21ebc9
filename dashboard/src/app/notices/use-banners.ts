import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NoticeRecord, SessionRecord } from '../../lib/api-types.ts';
import { queryClient, serviceQuery } from '../../lib/queries.ts';
import { noticesQuery } from './notices-query.ts';

export interface Banners {
  warnings: readonly string[];
  notices: readonly NoticeRecord[];
  /** Number of those that are not drawn, but behind a button. */
  folded: number;
  fold: (key: string) => void;
  unfold: () => void;
}

const WARNINGS_INTERVAL_MS = 120_000;
/** Maximum time for which the frame waits for its banners; those that come later stay folded. */
const MAX_WAIT_MS = 1_000;
/** Place of the keys that the user has hidden, without those that have ended. */
const FOLDED_KEY = 'tocsin.folded';
const SIGN_UP_KEY = 'tocsin.sign-up';

let informed: SessionRecord | null = null;

/** Reads the banners of a session before the frame is drawn, once: a banner that comes later would push the page. */
export async function loadBanners(session: SessionRecord, loadCode: () => Promise<void>): Promise<void> {
  if (informed === session) return;
  informed = session;
  const read = Promise.allSettled([
    queryClient.ensureQueryData(serviceQuery),
    queryClient.ensureQueryData(noticesQuery),
    loadCode(),
  ]);
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
}

/** Returns the banners above the page: those that were known when the frame was drawn, until they are folded. */
export function useBanners(): Banners {
  const { data: service } = useQuery({ ...serviceQuery, refetchInterval: WARNINGS_INTERVAL_MS });
  const { data: answered } = useQuery(noticesQuery);
  const notices = answered ?? [];
  const warnings = (service?.warnings ?? []).filter(
    (warning) => warning !== 'open_signup' || localStorage.getItem(SIGN_UP_KEY) === null,
  );
  const keys = [...warnings, ...notices.map(({ id }) => id)];
  const [drawn, setDrawn] = useState<readonly string[]>(() => {
    const folded = readFolded();
    return keys.filter((key) => !folded.includes(key));
  });
  const present = service && answered ? keys.join(' ') : null;
  // A warning that has ended is drawn when it comes again.
  useEffect(() => {
    if (present !== null) writeFolded(readFolded().filter((key) => present.split(' ').includes(key)));
  }, [present]);
  return {
    warnings: warnings.filter((warning) => drawn.includes(warning)),
    notices: notices.filter(({ id }) => drawn.includes(id)),
    folded: keys.filter((key) => !drawn.includes(key)).length,
    fold: (key) => {
      // The owner has read that anyone can sign up, and leaves it so: this warning is not kept behind the button.
      if (key === 'open_signup') localStorage.setItem(SIGN_UP_KEY, 'dismissed');
      else writeFolded([...readFolded(), key]);
      setDrawn(drawn.filter((other) => other !== key));
    },
    unfold: () => {
      writeFolded([]);
      setDrawn(keys);
    },
  };
}

function readFolded(): string[] {
  return localStorage.getItem(FOLDED_KEY)?.split(' ') ?? [];
}

function writeFolded(keys: readonly string[]): void {
  localStorage.setItem(FOLDED_KEY, keys.join(' '));
}
