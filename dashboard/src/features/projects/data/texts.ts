import type { Severity } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';

/** Texts of the page about what a project keeps and takes. */
export const texts = {
  title: 'Data and limits',
  ownersOnly: 'Only an OWNER can change retention, quotas and the storm limit.',
  retention: {
    title: 'Retention',
    hint: (days: number) =>
      `Events are kept for ${days} days. Enter fewer days to remove those of a severity sooner. Their counts, groups and incidents stay.`,
    days: (severity: Severity) => `Days of ${severity}`,
    kept: (count: number, isExact: boolean) =>
      `${isExact ? '' : 'About '}${formatCount(count)} ${count === 1 ? 'event' : 'events'} now`,
    noDays: (days: number) => `Enter a number from 1 to ${days}, or leave it empty.`,
    save: 'Apply',
    saved: 'Saved',
    confirmTitle: 'Remove older events',
    confirm: 'Remove events',
    losses: (count: string) =>
      `This removes about ${count} events within the next hour. You can’t undo this.`,
  },
  quotas: {
    title: 'Quotas',
    hint: 'Events beyond a quota are refused and counted.',
    subject: 'Quota of',
    wholeProject: 'The whole project',
    key: (name: string) => `Key ${name}`,
    suggested: (events: string) => `Suggested: ${events}`,
    none: 'Empty for no limit',
    noLimit: (max: string) => `Enter a whole number from 1 to ${max}, or leave it empty.`,
    save: 'Save quota',
    saved: 'Saved',
  },
  scrubbing: {
    title: 'Secrets and personal data',
    hint: 'Secrets in new events are replaced with “[Filtered]” before they are stored.',
    further: 'Additional secret fields',
    furtherHint: 'Names, not patterns, separated by commas. “tax id” also matches tax_id and customerTaxId.',
    safe: 'Fields to keep',
    safeHint: 'These win over all rules. “session id” also matches sessionId, but not admin_session_id.',
    secrets: 'Secrets',
    personal: 'Personal data',
    personalHint:
      'Off by default. Personal fields are names, contacts and identity numbers, such as first_name and phone. Values that identify users in the correlation stay, unless another part of the event has them.',
    /** Appended to the name of a rule. */
    count: (rule: string, quantity: number | undefined) =>
      quantity === undefined ? rule : `${rule} (${formatCount(quantity)} in 30 days)`,
    tooMany: (max: number) => `Enter at most ${max} names.`,
    noName: (name: string, min: number, max: number) =>
      `“${name}” isn’t a name. Names have a letter, and ${min} to ${max} characters.`,
    save: 'Apply',
    saved: 'Saved',
  },
  storms: {
    title: 'Storms',
    hint: 'Beyond this many events of a group in an hour, only samples are kept. All are counted, and payments are always kept.',
    above: 'Events kept per group and hour',
    aboveHint: 'A multiple of 100. Empty: all events.',
    noNumber: (step: string, max: string) => `Enter a multiple of ${step} up to ${max}, or leave it empty.`,
    save: 'Save storm limit',
    saved: 'Saved',
  },
};
