/** Server and transport of mail, from SMTP_URL. */
export interface SmtpAddress {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`). */
  secure: boolean;
  /** Nothing is sent if the server offers no STARTTLS. */
  requireTLS: boolean;
  /** STARTTLS is not used though the server offers it. */
  ignoreTLS: boolean;
  auth?: { user: string; pass: string };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Parses `smtp://user:password@mail.example.com:587` or `smtps://…:465`; `?tls=required`, `?tls=never`, else TLS is
 * used if the server offers it. A password is sent to another machine over TLS only, unless `tls=never` says
 * otherwise.
 * @returns undefined for any other text
 */
export function readSmtpAddress(text: string): SmtpAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  const tls = searchParams.get('tls');
  const isKnown = [...searchParams.keys()].every((name) => name === 'tls');
  if (!['smtp:', 'smtps:'].includes(protocol) || hostname === '' || !['', '/'].includes(pathname))
    return undefined;
  if (!isKnown || !(tls === null || tls === 'required' || tls === 'never')) return undefined;
  const secure = protocol === 'smtps:';
  const auth = username === '' ? {} : { auth: { user: decode(username), pass: decode(password) } };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: tls === 'required' || (tls === null && username !== '' && !LOOPBACK.test(hostname)),
    ignoreTLS: tls === 'never',
    ...auth,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `tocsin@example.com` or `Tocsin <tocsin@example.com>`. */
export function readSender(text: string): string | undefined {
  return /^(?:[^<>\p{Cc}]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/u.test(text) ? text : undefined;
}
