/** Reloads the page if the service answers: otherwise the browser would show an error page of its own. */
export async function reloadIfReachable(): Promise<void> {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok) location.reload();
}
