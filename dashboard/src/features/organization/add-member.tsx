import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { Role } from '../../lib/api-types.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Alert } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { addMember, readAgain } from './queries.ts';
import { RoleOptions } from './roles.tsx';

/** What is wrong with the user that was named; anything else is wrong with the service. */
const ABOUT_THE_USER = new Set(['not_found', 'already_member', 'not_movable', 'validation_failed']);

/** Adds somebody who has an account, by the id that they read on their account page. */
export function AddMember({ organizationId }: { organizationId: string }) {
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<Role>('MEMBER');
  const add = useMutation({
    mutationFn: addMember,
    onSuccess: async ({ user }) => {
      setUserId('');
      setRole('MEMBER');
      await readAgain();
      showToast(`${user.name} is added.`);
    },
  });
  const isAboutUser = add.error instanceof ApiError && ABOUT_THE_USER.has(add.error.code);
  return (
    <form
      aria-label="Add a member"
      className="max-w-xl"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ organizationId, userId: userId.trim(), role });
      }}
    >
      <h3 className="mb-2 font-semibold">Add a member</h3>
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
        <TextField
          label="User id"
          className="flex-1 basis-64"
          value={userId}
          placeholder="usr_…"
          required
          autoComplete="off"
          spellCheck={false}
          hint="They find it under Settings, Account. Their own organization must hold no project and nobody else: they move here."
          error={isAboutUser ? add.error?.message : undefined}
          onChange={(event) => {
            setUserId(event.target.value);
            add.reset();
          }}
        />
        <SelectField
          label="Role"
          className="w-28"
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          <RoleOptions />
        </SelectField>
        <Button type="submit" look="primary" className="sm:mt-6" busy={add.isPending}>
          Add member
        </Button>
      </div>
      {add.error && !isAboutUser && <Alert>{add.error.message}</Alert>}
    </form>
  );
}
