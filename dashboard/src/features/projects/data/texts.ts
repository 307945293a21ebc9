import type { Severity } from '../../../lib/api-types.ts';
import { formatCount, formatEvents } from '../../../lib/format.ts';

/** Texts of the page about what a project keeps and takes. */
export const texts = {
  title: 'Data and limits',
  ownersOnly: 'Only owners can change retention, quotas and the storm limit.',
  retention: {
    title: 'Retention',
    hint: (days: number) =>
      `Events are kept for ${days} days. Set fewer days to remove a severity sooner. Counts, groups and incidents stay.`,
    days: (severity: Severity) => `Days for ${severity}`,
    kept: (count: number, isExact: boolean) => `${isExact ? '' : 'About '}${formatEvents(count)} now`,
    noDays: (days: number) => `Enter a number from 1 to ${days}, or leave empty.`,
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
    subject: 'Quota for',
    wholeProject: 'The whole project',
    key: (name: string) => `Key ${name}`,
    suggested: (events: string) => `Suggested: ${events}`,
    none: 'Empty for no limit',
    noLimit: (max: string) => `Enter a whole number from 1 to ${max}, or leave empty.`,
    save: 'Save quota',
    saved: 'Saved',
  },
  scrubbing: {
    title: 'Secrets and personal data',
    hint: 'Secrets in new events are replaced with “[Filtered]” before they are stored.',
    further: 'Additional secret fields',
    furtherHint: 'Names, not patterns, separated by commas. “tax id” also matches tax_id and customerTaxId.',
    safe: 'Fields to keep',
    safeHint: 'These override all rules. “session id” also matches sessionId, but not admin_session_id.',
    secrets: 'Secrets',
    personal: 'Personal data',
    personalHint:
      'Off by default. Covers names, contact details and identity numbers, such as first_name and phone. User ids in the correlation stay, unless the rest of the event has them too.',
    /** Appended to the name of a rule. */
    count: (rule: string, quantity: number | undefined) =>
      quantity === undefined ? rule : `${rule} (${formatCount(quantity)} in 30 days)`,
    tooMany: (max: number) => `Enter at most ${max} names.`,
    noName: (name: string, min: number, max: number) =>
      `“${name}” isn’t a valid name. Use ${min} to ${max} characters with at least one letter.`,
    save: 'Apply',
    saved: 'Saved',
  },
  storms: {
    title: 'Storms',
    hint: 'Once a group has this many events in an hour, only samples are kept. All are counted, and payments are always kept.',
    above: 'Events kept per group and hour',
    aboveHint: 'A multiple of 100. Leave empty to keep all events.',
    noNumber: (step: string, max: string) => `Enter a multiple of ${step} up to ${max}, or leave empty.`,
    save: 'Save storm limit',
    saved: 'Saved',
  },
};
