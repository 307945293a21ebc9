const state = document.getElementById('state');
const response = await fetch('/readyz').catch(() => null);
state.textContent = response?.ok
  ? 'It is ready to take requests.'
  : 'It cannot take requests now: see /readyz.';
