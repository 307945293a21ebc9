import type { IncidentDetail, IncidentGroup, TimelineItem } from '../../../lib/api-types.ts';
import { describeRelease } from '../../../ui/display/incident-numbers.ts';
import { describeNumbers } from '../evidence/current-words.ts';
import { countEvents, describeAffected } from '../evidence/evidence-words.ts';
import { texts } from '../texts.ts';
import { describeEntry, describeOwnEntry } from '../timeline/timeline-words.ts';

interface Surroundings {
  url: string;
  /** Name of the project; null: not known. */
  project: string | null;
  /** Name of the person who investigates it. */
  investigator: string | null;
  /** Group with most of its events. */
  group:
    | (Pick<IncidentGroup, 'share' | 'count'> & { group: Pick<IncidentGroup['group'], 'key' | 'title'> })
    | undefined;
}

/** Returns an incident as Markdown, for a chat or a post-mortem; times are in UTC, which every reader can convert. */
export function toMarkdown(
  incident: IncidentDetail,
  { url, project, investigator, group }: Surroundings,
): string {
  const { title, severity, status, since, until, timeline } = incident;
  const numbers = describeNumbers(incident, (timeMs) => formatUtc(new Date(timeMs).toISOString()));
  const release = describeRelease(incident);
  const lines = [
    `### ${escape(title)}`,
    '',
    join([
      `**${severity}**`,
      investigator ? texts.head.isOnIt(escape(investigator)) : status,
      project && escape(project),
    ]),
    join([
      numbers && `**${numbers.main}** ${numbers.isNow ? texts.current.now : texts.current.atFirst}`,
      ...(numbers?.details ?? []),
    ]),
    join([
      countEvents(incident, String),
      describeAffected(incident),
      release && escape(release),
      until ? `${formatUtc(since)} – ${formatUtc(until)}` : texts.head.from(formatUtc(since)),
    ]),
    group &&
      `${texts.groups.share(group.share, group.count)}: ${escape(`${group.group.key} ${group.group.title}`)}`,
    '',
    ...timeline.map(toItem),
    '',
    `<${url}>`,
  ];
  // Lines without content are left out; empty lines separate paragraphs.
  return `${lines.filter((line) => typeof line === 'string').join('\n')}\n`;
}

/** Joins the parts that are not empty; null if all are. */
function join(parts: (string | null | false)[]): string | null {
  const said = parts.filter(Boolean);
  return said.length === 0 ? null : `${said.join(' · ')}  `;
}

function toItem(entry: TimelineItem): string {
  const words = entry.by ? `${escape(entry.by.name)} ${describeEntry(entry)}` : describeOwnEntry(entry);
  const note = entry.note === null ? '' : `: ${escape(entry.note).replaceAll(/\s*\n\s*/g, ' ')}`;
  return `- ${formatUtc(entry.at)} ${words}${note}`;
}

/** Escapes markup in texts of users and applications; code that the service quotes stays code. */
function escape(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*_[\]<>#|~`]/g, String.raw`\$&`)))
    .join('');
}

/** `2026-11-21 12:00 UTC`. */
function formatUtc(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
