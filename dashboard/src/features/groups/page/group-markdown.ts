import type { Group } from '../../../lib/api-types.ts';
import { formatCount, formatUsers } from '../../../lib/format.ts';
import { escapeMarkdown } from '../../../ui/display/escape-markdown.ts';
import { describeReleases } from '../group-words.ts';
import { texts } from '../texts.ts';

/** Returns a group as Markdown, for a chat or a ticket; times are in UTC, which every reader can convert. */
export function toMarkdown(group: Group, { url, project }: { url: string; project: string | null }): string {
  const { key, title, culprit, severity, state, count, users, firstSeen, lastSeen } = group;
  const releases = describeReleases(group);
  const facts = [
    `**${severity}**`,
    state,
    project && escapeMarkdown(project),
    texts.counts.events(formatCount(count)),
    users > 0 && texts.counts.users(formatUsers(users)),
    releases && escapeMarkdown(releases),
    `${texts.page.firstSeen.toLowerCase()} ${formatUtc(firstSeen)}`,
    `${texts.page.lastSeen.toLowerCase()} ${formatUtc(lastSeen)}`,
  ];
  const lines = [
    `### ${key}: ${escapeMarkdown(title.replaceAll(/\s+/g, ' '))}`,
    ...(culprit === null ? [] : ['', escapeMarkdown(culprit)]),
    '',
    facts.filter(Boolean).join(' · '),
    '',
    `<${url}>`,
  ];
  return `${lines.join('\n')}\n`;
}

/** `2026-11-21 12:00 UTC`. */
function formatUtc(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
