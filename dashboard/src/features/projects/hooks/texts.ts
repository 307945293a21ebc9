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
  waiting: 'Waiting for its secret.',
  lastAttempt: 'Last attempt',
  lastRequest: 'Last request',
  noRequest: 'No request yet.',
  refused: 'Refused',
  twoSecrets: 'Two secrets are valid.',
  restored: 'Restored from a backup',
  setSecret: 'Set secret',
  setSecretNamed: (name: string) => `Set secret of ${name}`,
  delete: 'Delete',
  create: {
    title: (name: string) => `Add a hook to ${name}`,
    kind: 'Sender',
    nameHint: 'Leave it empty to use the sender’s name.',
    created: (name: string) => `Hook “${name}”`,
    copyNow: 'Copy this now. You won’t see it again.',
    next: {
      stripe: 'Enter the address at Stripe as a webhook endpoint, then set the secret that Stripe shows.',
      github: 'Enter the address and the secret at GitHub, under Settings, Webhooks.',
      standard: 'Enter the address at the sender, then set the secret that it shows.',
    } satisfies Record<HookKind, string>,
    url: 'Address',
    copyUrl: 'Copy address',
    secret: 'Secret',
    copySecret: 'Copy secret',
    done: 'Done',
  },
  secret: {
    title: (name: string) => `Secret of ${name}`,
    secret: 'Secret',
    secretHint: 'As the sender shows it.',
    missing: 'Enter the secret.',
    former: 'Former secret',
    formerHint: 'It stays valid beside the new one. Leave it empty once the sender has replaced it.',
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
