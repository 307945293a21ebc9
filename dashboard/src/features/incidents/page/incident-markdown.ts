import { capitalize } from '../../../../../server/src/incidents/wording.ts';
import type { IncidentDetail, TimelineItem } from '../../../lib/api-types.ts';
import { describeCurrent } from '../evidence/current-words.ts';
import { headlineOf } from '../headline.ts';
import { texts } from '../texts.ts';
import { describeEntry, describeOwnEntry } from '../timeline/timeline-words.ts';

/** An incident as Markdown, for a chat or a post-mortem; times are in UTC, which every reader can convert. */
export function toMarkdown(
  incident: IncidentDetail,
  { url, project }: { url: string; project: string | null },
): string {
  const { severity, status, createdAt, resolvedAt, eventCount, evidence, current, timeline } = incident;
  const { sentence, chosenTitle } = headlineOf(incident);
  const facts = [
    `**${severity}**`,
    status,
    project && escape(project),
    eventCount > 0 && texts.head.events(String(eventCount)),
    `${texts.head.opened} ${formatUtc(createdAt)}`,
    resolvedAt && `${texts.head.resolved} ${formatUtc(resolvedAt)}`,
  ];
  const lines = [
    `### ${chosenTitle ? `${escape(chosenTitle)}: ` : ''}${evidence ? sentence : escape(sentence)}`,
    '',
    facts.filter(Boolean).join(' · '),
    ...(current && evidence
      ? ['', capitalize(describeCurrent(current, evidence, formatUtcClock).join(' · '))]
      : []),
    '',
    ...timeline.map(toItem),
    '',
    `<${url}>`,
  ];
  return `${lines.join('\n')}\n`;
}

function toItem(entry: TimelineItem): string {
  const words = entry.by ? `${escape(entry.by.name)} ${describeEntry(entry)}` : describeOwnEntry(entry);
  const note = entry.note === null ? '' : `: ${escape(entry.note).replaceAll(/\s*\n\s*/g, ' ')}`;
  return `- ${formatUtc(entry.at)} ${words}${note}`;
}

/** What people and their applications write is text, and no markup. */
function escape(text: string): string {
  return text.replaceAll(/[\\*_[\]<>#|~]/g, String.raw`\$&`);
}

/** `2026-11-21 12:00 UTC`. */
function formatUtc(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `12:00 UTC`. */
function formatUtcClock(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(11, 16)} UTC`;
}
