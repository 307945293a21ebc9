/** Takes the token of a kind out of the address: it is kept only in the memory of the page. */
export function readToken(kind: 'adr' | 'rec' | 'eml'): string | null {
  const token = /^#(tsn_([a-z]+)_[0-9A-Za-z]{38})$/.exec(location.hash);
  if (token?.[1] === undefined || token[2] !== kind) return null;
  history.replaceState(history.state, '', location.pathname);
  return token[1];
}
