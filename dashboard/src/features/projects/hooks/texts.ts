import type { HookRecord } from '../../../lib/api-types.ts';

type HookKind = HookRecord['kind'];

/** Texts of hooks. */
export const texts = {
  hooks: 'Hooks',
  add: 'Add hook',
  none: 'No hooks',
  noneHint: 'Add one to receive events from Stripe, GitHub and others.',
  name: 'Name',
  state: 'State',
  actions: 'Actions',
  kinds: {
    stripe: 'Stripe',
    github: 'GitHub',
    standard: 'Standard Webhooks',
  } satisfies Record<HookKind, string>,
  waiting: 'Needs its secret.',
  lastAttempt: 'Last attempt',
  lastRequest: 'Last request',
  noRequest: 'No request yet.',
  refused: 'Refused',
  twoSecrets: 'Two secrets are valid.',
  restored: 'Restored from a backup',
  setSecret: 'Set secret',
  setSecretNamed: (name: string) => `Set secret for ${name}`,
  delete: 'Delete',
  create: {
    title: (name: string) => `Add a hook to ${name}`,
    kind: 'Sender',
    nameHint: 'Defaults to the sender’s name.',
    created: (name: string) => `Hook “${name}”`,
    copyNow: 'Copy this now. You won’t see it again.',
    next: {
      stripe: 'Add this address as a webhook endpoint in Stripe, then set the secret Stripe gives you.',
      github: 'Enter this address and secret in GitHub under Settings → Webhooks.',
      standard: 'Enter this address at the sender, then set the secret it gives you.',
    } satisfies Record<HookKind, string>,
    url: 'Address',
    copyUrl: 'Copy address',
    secret: 'Secret',
    copySecret: 'Copy secret',
    done: 'Done',
  },
  secret: {
    title: (name: string) => `Secret for ${name}`,
    secret: 'Secret',
    secretHint: 'From the sender’s webhook settings.',
    missing: 'Enter the secret.',
    former: 'Previous secret',
    formerHint: 'Stays valid alongside the new one. Clear it once the sender has switched.',
    save: 'Save',
    saved: 'Saved',
  },
  deletion: {
    title: (name: string) => `Delete hook “${name}”`,
    confirm: 'Delete hook',
    consequence: 'The sender will get 404 immediately. You can’t undo this.',
    deleted: (name: string) => `Hook “${name}” deleted`,
  },
};
