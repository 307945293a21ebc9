import type { Severity } from '../lib/api-types.ts';
import { formatCount } from '../lib/format.ts';

/** Texts of notices about incidents; not part of the initial chunk. */
export const texts = {
  by: (headline: string, name: string | null) => (name === null ? headline : `${headline} · ${name}`),
  many: (count: number) => `${formatCount(count)} new or changed incidents`,
  ofSeverity: (count: number, severity: Severity) => `${formatCount(count)} ${severity}`,
  open: 'Open',
  openAll: 'Open the list',
  take: 'I’m on it',
  taken: 'You’re on it',
  failed: (why: string) => `You’re not on it yet. ${why}`,
  browserTitle: (headline: string, title: string) => `${headline}: ${title}`,
  browserMany: (count: number) => `${formatCount(count)} incidents`,
  manual: (severity: Severity) => `${severity}, created manually`,
  schedule: (severity: Severity) => `${severity}, a schedule failed`,
  alerts: (severity: Severity) => `${severity}, alert firing`,
};
