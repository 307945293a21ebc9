import { useMutation } from '@tanstack/react-query';
import type { KeyRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmByName } from '../../ui/forms/confirm-by-name.tsx';
import { keysQuery, revokeKey } from './queries.ts';

/** Says what breaks when a key is revoked, and asks for its name. */
export function RevokeKey({ apiKey, onClose }: { apiKey: KeyRecord; onClose: () => void }) {
  const revocation = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(keysQuery(apiKey.projectId));
      showToast(`Key “${apiKey.name}” revoked`);
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Revoke key “${apiKey.name}”`}
      name={apiKey.name}
      action="Revoke key"
      busy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>Apps using this key will get 401 immediately, and their events will be lost. You can’t undo this.</p>
      <p>
        The key starts with <code className="font-mono">{apiKey.prefix}</code>.{' '}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <RelativeTime at={apiKey.lastUsedAt} className="font-semibold" />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </ConfirmByName>
  );
}
