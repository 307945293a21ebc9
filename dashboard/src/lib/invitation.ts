/** Token of an invitation link, also within a pasted text. */
const TOKEN = /\btsn_inv_[0-9A-Za-z]{38}\b/;
const STORAGE_KEY = 'tocsin.invitation';

/** Returns the token in a link or a text; null if there is none. */
export function findInvitationToken(text: string): string | null {
  return TOKEN.exec(text)?.[0] ?? null;
}

/**
 * Returns the invitation that this tab was opened with. It moves from the address into the tab's storage: it is then in no history, and
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
