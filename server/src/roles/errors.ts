import { GROUP_ERRORS } from '../groups/errors.ts';
import { INCIDENT_ERRORS } from '../incidents/errors.ts';
import { ENVELOPE_ERRORS } from '../ingestion/envelopes/errors.ts';
import { HOOK_ERRORS } from '../ingestion/hooks/errors.ts';
import { INTAKE_ERRORS } from '../ingestion/intake/errors.ts';
import { NOTIFICATION_ERRORS } from '../notifications/errors.ts';
import { ENCRYPTION_ERRORS } from '../platform/encryption/errors.ts';
import { HTTP_ERRORS } from '../platform/errors.ts';
import { DEAD_LETTER_ERRORS } from '../processing/dead-letters/errors.ts';
import { REALTIME_ERRORS } from '../realtime/errors.ts';
import { SCHEDULE_ERRORS } from '../schedules/errors.ts';
import { ACCOUNT_ERRORS } from '../tenancy/accounts/errors.ts';
import { API_KEY_ERRORS } from '../tenancy/api-keys/errors.ts';
import { TENANCY_ERRORS } from '../tenancy/errors.ts';
import { INVITATION_ERRORS } from '../tenancy/invitations/errors.ts';
import { ORGANIZATION_ERRORS } from '../tenancy/organizations/errors.ts';
import { RECOVERY_ERRORS } from '../tenancy/recovery/errors.ts';
import { SECOND_FACTOR_ERRORS } from '../tenancy/second-factor/errors.ts';
import { TOKEN_ERRORS } from '../tenancy/tokens/errors.ts';

/** Every error that a client can see, each declared by its owner. docs/errors.md says when each is sent. */
export const ERRORS = {
  ...HTTP_ERRORS,
  ...ENCRYPTION_ERRORS,
  ...TENANCY_ERRORS,
  ...ACCOUNT_ERRORS,
  ...SECOND_FACTOR_ERRORS,
  ...API_KEY_ERRORS,
  ...TOKEN_ERRORS,
  ...ORGANIZATION_ERRORS,
  ...INVITATION_ERRORS,
  ...RECOVERY_ERRORS,
  ...GROUP_ERRORS,
  ...INCIDENT_ERRORS,
  ...DEAD_LETTER_ERRORS,
  ...SCHEDULE_ERRORS,
  ...NOTIFICATION_ERRORS,
  ...REALTIME_ERRORS,
  ...INTAKE_ERRORS,
  ...ENVELOPE_ERRORS,
  ...HOOK_ERRORS,
};

export type ErrorCode = keyof typeof ERRORS;
