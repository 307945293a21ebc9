import { useMutation } from '@tanstack/react-query';
import type { TokenRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { texts } from './texts.ts';
import { revokeToken, tokensQuery } from './token-queries.ts';

const words = texts.revokeToken;

/** Names the consequences of revoking a token, and asks for confirmation. */
export function RevokeToken({ token, onClose }: { token: TokenRecord; onClose: () => void }) {
  const { name, prefix, lastUsedAt } = token;
  const revocation = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(tokensQuery);
      showToast(words.revoked(name));
      onClose();
    },
  });
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <div className="space-y-2">
        <p>{words.consequence}</p>
        <p>
          {words.startsWith} <code className="font-mono">{prefix}</code>.{' '}
          {lastUsedAt ? (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} className="font-semibold" />.
            </>
          ) : (
            words.neverUsed
          )}
        </p>
      </div>
      {revocation.error && <Alert>{revocation.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={revocation.isPending} onClick={() => revocation.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
