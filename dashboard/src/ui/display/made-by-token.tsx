import { texts } from '../texts.ts';

/** Says that an access token made something, which stays when the token ends. Nothing where a login did. */
export function MadeByToken({ token }: { token: { name: string } | null }) {
  if (!token) return null;
  return <span className="block text-xs wrap-anywhere text-text-muted">{texts.madeByToken(token.name)}</span>;
}
