import type { Role } from '../../lib/api-types.ts';

/** The roles in words. */
export const ROLES: Record<Role, string> = { OWNER: 'Owner', MEMBER: 'Member' };

export function RoleOptions() {
  return Object.entries(ROLES).map(([role, label]) => (
    <option key={role} value={role}>
      {label}
    </option>
  ));
}
