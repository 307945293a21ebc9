// The examples have the addresses of this installation; that of ingestion where the user is logged in.
try {
  const theme = localStorage.getItem('tocsin.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused: the theme is the system's.
}

document.addEventListener('DOMContentLoaded', () => void nameAddresses());

async function nameAddresses() {
  nameAddress('api', location.origin);
  const answer = await fetch('/service').catch(() => null);
  if (!answer?.ok) return;
  const { ingestUrl } = await answer.json();
  nameAddress('ingest', ingestUrl);
}

function nameAddress(name, address) {
  for (const element of document.querySelectorAll(`[data-address="${name}"]`)) element.textContent = address;
}
