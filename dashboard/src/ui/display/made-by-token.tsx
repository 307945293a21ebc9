import { texts } from '../texts.ts';

/** Says that an access token created something, which remains after the token ends. Renders nothing for a login. */
export function MadeByToken({ token }: { token: { name: string } | null }) {
  if (!token) return null;
  return <span className="block text-xs wrap-anywhere text-text-muted">{texts.madeByToken(token.name)}</span>;
}
