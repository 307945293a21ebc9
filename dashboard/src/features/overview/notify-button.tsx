import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';

/** Asks for the browser's permission to notify of new incidents, as long as nobody has decided about it. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  const ask = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === 'granted') showToast('This browser will notify you of new incidents.');
    if (answer === 'denied')
      showToast('The browser will not notify you. Its settings for this site can change that.');
  };
  return (
    <Button
      look="quiet"
      onClick={() => void ask()}
      title="Of new incidents, while you look at something else"
    >
      Notify me
    </Button>
  );
}
