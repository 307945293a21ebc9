import type { Comparison } from '../../../lib/api-types.ts';
import { formatMinute } from '../../../lib/format.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { ChangedGroups } from './changed-groups.tsx';
import { texts } from './texts.ts';
import {
  type ComparedPair,
  describeChange,
  describeCounts,
  describeErrors,
  errorsOf,
  MIN_RATED,
  toLine,
  toMarkdownLine,
} from './words.ts';

/** The share of errors in both releases, the line to copy, and the groups that changed. */
export function ComparisonResult({ comparison }: { comparison: Comparison }) {
  const { environment, release, base } = comparison;
  if (!release || !base) return <Note>{texts.noBase}</Note>;
  if (release.version === base.version) return <Note>{texts.same}</Note>;
  const empty = [release, base].find(({ events }) => events === 0);
  const pair = { ...comparison, release, base };
  return (
    <>
      {empty ? (
        <Note>{texts.noEvents(empty.version, environment)}</Note>
      ) : (
        <>
          <Errors comparison={pair} />
          <Line comparison={pair} />
        </>
      )}
      {release.events > 0 && <ChangedGroups comparison={pair} />}
      {[release, base].map(
        ({ version, from, to }) =>
          (from ?? to) !== null && (
            <p key={version} className="text-xs text-text-muted wrap-anywhere">
              {texts.counted(version, from && formatMinute(from), to && formatMinute(to))}
            </p>
          ),
      )}
    </>
  );
}

function Note({ children }: { children: string }) {
  return <p className="my-6 text-text-muted wrap-anywhere">{children}</p>;
}

function Errors({ comparison }: { comparison: ComparedPair }) {
  const { release, base, difference } = comparison;
  const { now, before } = describeErrors(comparison);
  const isClear = difference !== null && (difference.low > 0 || difference.high < 0);
  return (
    <Section title={texts.share}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong className="text-[1.75rem] leading-9 font-semibold">{now}</strong>
        <span>
          {texts.was(before)} · {describeChange(errorsOf(comparison))}
        </span>
      </p>
      {release.errors + base.errors > 0 && (
        <p className="text-sm text-text-muted">
          {Math.max(release.errors, base.errors) >= MIN_RATED && `${describeCounts(errorsOf(comparison))}. `}
          {isClear ? texts.caution : texts.byChance}
        </p>
      )}
    </Section>
  );
}

/** The result in one line, to be sent to others. */
function Line({ comparison }: { comparison: ComparedPair }) {
  const line = toLine(comparison);
  const toMarkdown = () =>
    toMarkdownLine(comparison, {
      page: addressOf(comparison),
      group: (id) => `${location.origin}${import.meta.env.BASE_URL}groups/${encodeURIComponent(id)}`,
    });
  return (
    <div className="mb-6 flex flex-wrap items-center gap-2 rounded-md border border-line bg-muted px-3 py-2">
      <p className="min-w-0 flex-[1_1_20rem] text-sm wrap-anywhere">{line}</p>
      <CopyButton text={line} label={texts.copy} />
      <CopyButton text={toMarkdown} label={texts.copyMarkdown} variant="ghost" />
    </div>
  );
}

/** The address of this comparison, with the releases that were chosen for the reader. */
function addressOf({ projectId, environment, release, base }: ComparedPair): string {
  const search = new URLSearchParams({
    project: projectId,
    // As the router writes them: a version that looks like a number is a text in quotes.
    release: textOf(release.version),
    base: textOf(base.version),
    ...(environment !== null && { environment }),
  });
  return `${location.origin}${import.meta.env.BASE_URL}releases/compare?${search.toString()}`;
}

function textOf(version: string): string {
  try {
    return typeof JSON.parse(version) === 'string' ? version : JSON.stringify(version);
  } catch {
    return version;
  }
}
