import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TopBy, TopValue } from '../../lib/api-types.ts';
import { formatCompact, formatCount } from '../../lib/format.ts';
import { formatRange } from '../../lib/format-range.ts';
import { useScope } from '../../lib/scope.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { topQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.topList;

/** The most frequent values of a field, each one click from its events. */
export function TopList({ by, title }: { by: TopBy; title: string }) {
  const [scope] = useScope();
  const { data: top, error, refetch } = useQuery(topQuery(by, scope));
  return (
    <Section
      title={title}
      // The counted range, if it is not that of the page.
      actions={
        top?.counted && (
          <span className="text-xs text-text-muted">
            {formatRange(top.counted.fromMs, top.counted.toMs, Date.now())}
          </span>
        )
      }
    >
      {/* As high as six rows, whatever the content. */}
      <div className="lg:min-h-[223px]">
        {top ? (
          top.values.length === 0 ? (
            <p className={`${ROW} border-y border-line text-text-muted`}>{words.none}</p>
          ) : (
            <ol className="divide-y divide-line border-y border-line">
              {top.values.map((row) => (
                <li key={row.value}>
                  <TopRow by={by} row={row} />
                </li>
              ))}
            </ol>
          )
        ) : (
          <QueryState query={{ error, refetch }} rows={6} rowClass="h-[37px]" />
        )}
      </div>
    </Section>
  );
}

const ROW = 'flex h-9 items-center gap-3 px-3';

interface RowProps {
  row: TopValue;
}

function TopRow({ by, row }: RowProps & { by: TopBy }) {
  // All kinds over the limit on new groups share one group.
  if (row.value === null && row.groupId !== null)
    return (
      <Link to="/groups/$groupId" params={{ groupId: row.groupId }} className={`${ROW} hover:bg-hover`}>
        <Cells row={row} name={<span className="text-text-muted">{row.label}</span>} />
      </Link>
    );
  // No filter matches events without a source.
  if (row.value === null)
    return (
      <span className={ROW}>
        <Cells row={row} name={<span className="text-text-muted">{words.noSource}</span>} />
      </span>
    );
  if (row.groupId !== null)
    return (
      <Link to="/groups/$groupId" params={{ groupId: row.groupId }} className={`${ROW} hover:bg-hover`}>
        <Cells row={row} name={row.label ?? row.value} />
      </Link>
    );
  return (
    <Link to="/events" search={{ [by]: row.value }} className={`${ROW} hover:bg-hover`}>
      <Cells row={row} name={row.label ?? row.value} />
    </Link>
  );
}

function Cells({ row, name }: RowProps & { name: React.ReactNode }) {
  return (
    <>
      <SeverityGlyph severity={row.severity} />
      <span className="min-w-0 flex-1 truncate" title={row.label ?? row.value ?? undefined}>
        {name}
      </span>
      <Sparkline counts={row.sparkline} className="flex-none text-text-muted max-sm:w-16 md:max-lg:w-16" />
      <span className="w-12 flex-none text-right" title={formatCount(row.count)}>
        {formatCompact(row.count)}
      </span>
    </>
  );
}
