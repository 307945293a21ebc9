/** Codes of OpenSSL, as Node passes them on, for a certificate that the user can make trusted. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Describes why `fetch` failed: its error says only that it did, and the cause says why. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'there was no answer in time';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause ? String(cause.code) : '';
  if (UNTRUSTED.has(code))
    return `its certificate is signed by an authority that is not trusted (${code}); NODE_EXTRA_CA_CERTS names a file of further ones`;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (/wrong version number|packet length too long/i.test(cause.message))
    return 'it does not speak TLS: does the address begin with http://?';
  return cause.message || code || error.message;
}
