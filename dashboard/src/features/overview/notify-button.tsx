import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { texts } from './texts.ts';

const words = texts.notifyButton;

/** Asks for the browser's permission to notify of new incidents, until the user has decided. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  const ask = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === 'granted') showToast('You’ll get a browser notification for new incidents.');
    if (answer === 'denied')
      showToast('Notifications are blocked. Allow them in your browser’s site settings.');
  };
  return (
    <Button variant="ghost" onClick={() => void ask()} title={words.hint}>
      {words.notifyMe}
    </Button>
  );
}
