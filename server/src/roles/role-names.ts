export const ROLE_NAMES = ['management', 'ingestion', 'worker'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];
