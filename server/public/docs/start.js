// The examples have the addresses of this installation where the user is logged in.
try {
  const theme = localStorage.getItem('tocsin.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused: the theme is the system's.
}

document.addEventListener('DOMContentLoaded', () => void nameAddresses());

async function nameAddresses() {
  const answer = await fetch('/service').catch(() => null);
  if (!answer?.ok) return;
  const { ingestUrl } = await answer.json();
  const addresses = { api: location.origin, ingest: ingestUrl };
  for (const element of document.querySelectorAll('[data-address]'))
    element.textContent = addresses[element.dataset.address];
}
