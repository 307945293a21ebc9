import type { TokenRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { texts } from './texts.ts';
import { revokeToken, tokensQuery } from './token-queries.ts';

const words = texts.revokeToken;

/** Names the consequences of revoking a token, and asks for confirmation. */
export function RevokeToken({ token, onClose }: { token: TokenRecord; onClose: () => void }) {
  const { name, prefix, lastUsedAt } = token;
  return (
    <ConfirmDialog
      title={words.title(name)}
      confirm={words.confirm}
      action={() => revokeToken(token.id)}
      onSuccess={async () => {
        await queryClient.invalidateQueries(tokensQuery);
        showToast(words.revoked(name));
        onClose();
      }}
      onClose={onClose}
    >
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
    </ConfirmDialog>
  );
}
