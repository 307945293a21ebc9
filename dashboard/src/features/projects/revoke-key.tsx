import { useMutation } from '@tanstack/react-query';
import type { KeyRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmByName } from '../../ui/forms/confirm-by-name.tsx';
import { forgetKey, keysQuery, revokeKey } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.revokeKey;

/** Names the consequences of revoking a key, and asks for its name. */
export function RevokeKey({ apiKey, onClose }: { apiKey: KeyRecord; onClose: () => void }) {
  const revocation = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: async () => {
      forgetKey(apiKey);
      await queryClient.invalidateQueries(keysQuery(apiKey.projectId));
      showToast(`Key “${apiKey.name}” revoked`);
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={words.title(apiKey.name)}
      name={apiKey.name}
      action={words.confirm}
      busy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>{words.consequence}</p>
      <p>
        {words.startsWith} <code className="font-mono">{apiKey.prefix}</code>.{' '}
        {apiKey.lastUsedAt ? (
          <>
            {words.lastUsed} <RelativeTime at={apiKey.lastUsedAt} className="font-semibold" />.
          </>
        ) : (
          words.neverUsed
        )}
      </p>
    </ConfirmByName>
  );
}
