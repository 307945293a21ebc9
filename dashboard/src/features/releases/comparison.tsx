import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Group, Release } from '../../lib/api-types.ts';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { Message } from '../../ui/event/message.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { compareGroups } from './compare-groups.ts';
import { compareShares } from './compare-shares.ts';
import { formatShare } from './format-share.ts';
import { groupsOfReleaseQuery } from './queries.ts';
import { texts } from './texts.ts';

const GROUPS_SHOWN = 10;

interface ComparisonProps {
  releases: Release[];
  project: string | undefined;
  release: string | undefined;
  base: string | undefined;
  onChoose: (chosen: { release?: string; base?: string }) => void;
}

/** Compares two releases of a project: by default the newest and the one before. */
export function Comparison({ releases, project, release, base, onChoose }: ComparisonProps) {
  const { compare } = texts;
  if (project === undefined)
    return (
      <Section title={compare.title}>
        <p className="text-sm text-text-muted">{compare.chooseProject}</p>
      </Section>
    );
  const later = releases.find(({ version }) => version === release) ?? releases[0];
  const earlier =
    releases.find(({ version }) => version === base) ??
    releases[releases.findIndex((one) => one === later) + 1];
  const options = releases.map(({ version }) => ({ value: version, label: version }));
  return (
    <Section title={compare.title}>
      <div className="mb-3 flex flex-wrap gap-3">
        <SelectField
          label={compare.release}
          options={options}
          value={later?.version}
          onChange={(version) => onChoose({ release: version })}
          className="w-56 max-w-full"
        />
        <SelectField
          label={compare.base}
          options={options}
          value={earlier?.version ?? later?.version}
          onChange={(version) => onChoose({ base: version })}
          className="w-56 max-w-full"
        />
      </div>
      {later && earlier && later !== earlier ? (
        <>
          <Shares later={later} earlier={earlier} />
          <Groups project={project} later={later.version} earlier={earlier.version} />
        </>
      ) : (
        <p className="text-sm text-text-muted">{compare.same}</p>
      )}
    </Section>
  );
}

function Shares({ later, earlier }: { later: Release; earlier: Release }) {
  const { compare } = texts;
  const found = compareShares(later, earlier);
  const row = ({ version, errors, events }: Release) => (
    <tr key={version} className="border-b border-line">
      <th scope="row" className="py-1 pr-4 text-left font-mono font-normal wrap-anywhere">
        {version}
      </th>
      <td className="py-1 pr-4 text-right font-semibold">
        {events === 0 ? compare.noEvents : formatShare(errors / events)}
      </td>
      <td className="py-1 text-text-muted">{events > 0 && compare.shareOf(errors, events)}</td>
    </tr>
  );
  return (
    <div className="mb-4 text-sm">
      <table>
        <caption className="text-left text-xs text-text-muted">{compare.share}</caption>
        <tbody>
          {row(later)}
          {row(earlier)}
        </tbody>
      </table>
      {found && (
        <p className="mt-2">
          <strong className="font-semibold">{describeDifference(found, later.version)}</strong>{' '}
          <span className="text-text-muted">
            {compare.difference(
              formatShare(found.difference, true),
              formatShare(found.low, true),
              formatShare(found.high, true),
            )}
            . {compare.caution}
          </span>
        </p>
      )}
    </div>
  );
}

function describeDifference({ low, high }: { low: number; high: number }, release: string): string {
  if (low > 0) return texts.compare.more(release);
  return high < 0 ? texts.compare.fewer(release) : texts.compare.noDifference;
}

function Groups({ project, later, earlier }: { project: string; later: string; earlier: string }) {
  const { compare } = texts;
  const ofLater = useQuery(groupsOfReleaseQuery(project, later));
  const ofEarlier = useQuery(groupsOfReleaseQuery(project, earlier));
  const error = ofLater.error ?? ofEarlier.error;
  if (!ofLater.data || !ofEarlier.data) {
    if (!error) return <Skeleton rows={4} />;
    return (
      <Failure error={error} onRetry={() => void Promise.all([ofLater.refetch(), ofEarlier.refetch()])} />
    );
  }
  const isSample = ofLater.data.next !== null || ofEarlier.data.next !== null;
  const { begun, gone } = compareGroups(
    { release: later, groups: ofLater.data.items },
    { groups: ofEarlier.data.items },
  );
  return (
    <>
      <div className="grid gap-6 md:grid-cols-2">
        <GroupLinks
          title={compare.newGroups(later)}
          none={compare.noNew}
          groups={begun}
          isSample={isSample}
        />
        <GroupLinks
          title={compare.goneGroups(later)}
          none={compare.noGone}
          groups={gone}
          isSample={isSample}
        />
      </div>
      {isSample && <p className="mt-2 text-xs text-text-muted">{compare.sample}</p>}
    </>
  );
}

interface GroupLinksProps {
  title: string;
  none: string;
  groups: Group[];
  isSample: boolean;
}

function GroupLinks({ title, none, groups, isSample }: GroupLinksProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1 text-sm font-semibold wrap-anywhere">
        {title} ({groups.length}
        {isSample && '+'})
      </h3>
      {groups.length === 0 ? (
        <p className="text-sm text-text-muted">{none}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line text-sm">
          {groups.slice(0, GROUPS_SHOWN).map(({ id, key, title: message, severity, count }) => (
            <li key={id}>
              <Link
                to="/groups/$groupId"
                params={{ groupId: id }}
                className="flex min-h-9 items-center gap-2 px-1 py-1 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <SeverityGlyph severity={severity} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">
                    <Message text={message} />
                  </span>
                  <span className="block text-xs text-text-muted">
                    {key} · {texts.compare.events(count)}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {groups.length > GROUPS_SHOWN && (
        <p className="mt-1 text-xs text-text-muted">
          {texts.compare.more10(groups.length - GROUPS_SHOWN, isSample)}
        </p>
      )}
    </section>
  );
}
