/** What an invitation link carries; also within a text that was pasted. */
const TOKEN = /\btsn_inv_[0-9A-Za-z]{38}\b/;
const STORAGE_KEY = 'tocsin.invitation';

/** The token in a link or a text; null where there is none. */
export function findInvitationToken(text: string): string | null {
  return TOKEN.exec(text)?.[0] ?? null;
}

/**
 * The invitation that this tab was opened with. It moves from the address into the tab's storage: so it is in no history, and
 * is still there after a login, whose address must not carry it.
 */
export function readInvitation(): string | null {
  const token = findInvitationToken(location.hash);
  if (token !== null) {
    keepInvitation(token);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return token ?? sessionStorage.getItem(STORAGE_KEY);
}

export function keepInvitation(token: string): void {
  sessionStorage.setItem(STORAGE_KEY, token);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
