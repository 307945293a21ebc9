import type { Role } from '../../lib/api-types.ts';

/** The roles in words. */
export const ROLES: Record<Role, string> = { OWNER: 'Owner', MEMBER: 'Member' };

export const ROLE_OPTIONS = (['OWNER', 'MEMBER'] as const).map((value) => ({ value, label: ROLES[value] }));
