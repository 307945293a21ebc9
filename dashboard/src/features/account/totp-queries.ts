import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type { RecoveryCodesRecord, TotpSecretRecord, TotpStatusRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';

export const totpQuery = queryOptions({
  queryKey: ['totp'],
  queryFn: ({ signal }) => request<TotpStatusRecord>('GET', '/auth/totp', { signal }),
});

export const enrolTotp = (password: string) =>
  request<TotpSecretRecord>('POST', '/auth/totp/enrol', { body: { password } });

export const activateTotp = (code: string) =>
  request<RecoveryCodesRecord>('POST', '/auth/totp/activate', { body: { code } });

export interface Confirmation {
  password: string;
  code: string;
}

export const disableTotp = (body: Confirmation) => request<void>('POST', '/auth/totp/disable', { body });

export const replaceRecoveryCodes = (body: Confirmation) =>
  request<RecoveryCodesRecord>('POST', '/auth/totp/recovery-codes', { body });

/** Reads the second factor and the sessions again: turning it on ends the other sessions. */
export async function readTotpAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(totpQuery),
    queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  ]);
}
