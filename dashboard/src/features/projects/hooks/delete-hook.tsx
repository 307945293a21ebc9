import { useMutation } from '@tanstack/react-query';
import type { HookRecord } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { ConfirmByName } from '../../../ui/forms/confirm-by-name.tsx';
import { deleteHook, hooksQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.deletion;

/** Names the consequence of deleting a hook, and asks for its name. */
export function DeleteHook({ hook, onClose }: { hook: HookRecord; onClose: () => void }) {
  const deletion = useMutation({
    mutationFn: () => deleteHook(hook),
    onSuccess: async () => {
      await queryClient.invalidateQueries(hooksQuery(hook.projectId));
      showToast(words.deleted(hook.name));
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={words.title(hook.name)}
      name={hook.name}
      action={words.confirm}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{words.consequence}</p>
    </ConfirmByName>
  );
}
