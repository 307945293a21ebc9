import { request } from './api.ts';
import { queryClient } from './queries.ts';

/** Agrees to the membership that an owner made, and reads again what depends on it. */
export async function confirmMembership(organizationId: string): Promise<void> {
  await request('POST', `/organizations/${organizationId}/stay`);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['notices'] }),
    queryClient.invalidateQueries({ queryKey: ['organization'] }),
  ]);
}
