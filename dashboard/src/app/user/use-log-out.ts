import { useMutation } from '@tanstack/react-query';
import { sendHeldChanges } from '../../features/incidents/change/held-changes.ts';
import { request } from '../../lib/api.ts';
import { finishBeforeLogOut } from '../../lib/before-log-out.ts';
import { realtime } from '../../lib/realtime.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { texts } from './texts.ts';

/** Ends the session and drops all its data. */
export function useLogOut() {
  return useMutation({
    mutationFn: async () => {
      await sendHeldChanges();
      await finishBeforeLogOut();
      await request('POST', '/auth/logout');
    },
    // A connection that the service closes would look like a session that ended elsewhere, after which a login leads back to this page.
    onMutate: () => realtime.stop(),
    // A full page load: no data stays in memory.
    onSuccess: () => location.assign(`${import.meta.env.BASE_URL}login`),
    onError: (error) => {
      realtime.start();
      showToast(texts.stillLoggedIn(error.message));
    },
  });
}
