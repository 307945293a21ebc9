import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { formatExactTime, formatMinute } from '../../lib/format.ts';
import { MadeByToken } from '../../ui/display/made-by-token.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { texts as shared } from '../../ui/schedules/texts.ts';
import { CheckIns } from './check-ins.tsx';
import { DeleteSchedule } from './delete-schedule.tsx';
import { ReplaceAddress } from './replace-address.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { type RowAction, ScheduleMenu } from './schedule-menu.tsx';
import { texts } from './texts.ts';

const CELL = 'px-2 py-1.5 align-top';
const HEAD = 'px-2 py-1.5 font-normal';

const STATUS_CLASS: Record<ScheduleRecord['status'], string> = {
  waiting: 'text-text-muted',
  ok: 'text-text',
  running: 'text-text',
  late: 'text-text font-semibold',
  failing: 'text-critical font-semibold',
  paused: 'text-text-muted',
};

/** A row for each job: its times, its status, and its actions. */
export function ScheduleTable({ schedules }: { schedules: ScheduleRecord[] }) {
  const [open, setOpen] = useState<{ action: RowAction; schedule: ScheduleRecord } | null>(null);
  const onClose = () => setOpen(null);
  const { columns } = texts;
  return (
    <>
      <section aria-label={texts.list} tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-text-muted">
            <tr className="border-b border-line">
              <th scope="col" className={HEAD}>
                {columns.job}
              </th>
              <th scope="col" className={`${HEAD} hidden md:table-cell`}>
                {columns.expected}
              </th>
              <th scope="col" className={HEAD}>
                {columns.status}
              </th>
              <th scope="col" className={`${HEAD} hidden whitespace-nowrap sm:table-cell`}>
                {columns.last}
              </th>
              <th scope="col" className={`${HEAD} hidden lg:table-cell`}>
                {columns.next}
              </th>
              <th scope="col" className={HEAD}>
                <span className="sr-only">{columns.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {schedules.map((schedule) => (
              <ScheduleRow
                key={schedule.id}
                schedule={schedule}
                onAction={(action) => setOpen({ action, schedule })}
              />
            ))}
          </tbody>
        </table>
      </section>
      {open?.action === 'history' && <CheckIns schedule={open.schedule} onClose={onClose} />}
      {open?.action === 'edit' && (
        <ScheduleForm projectId={open.schedule.projectId} schedule={open.schedule} onClose={onClose} />
      )}
      {open?.action === 'address' && <ReplaceAddress schedule={open.schedule} onClose={onClose} />}
      {open?.action === 'remove' && <DeleteSchedule schedule={open.schedule} onClose={onClose} />}
    </>
  );
}

interface ScheduleRowProps {
  schedule: ScheduleRecord;
  onAction: (action: RowAction) => void;
}

function ScheduleRow({ schedule, onAction }: ScheduleRowProps) {
  const {
    name,
    slug,
    cron,
    intervalSeconds,
    timeZone,
    status,
    problem,
    lastCheckInAt,
    nextDueAt,
    incidentId,
    madeByToken,
  } = schedule;
  const expected = shared.expected(cron, intervalSeconds, timeZone);
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className={`${CELL} min-w-28 text-left font-normal wrap-anywhere`}>
        {name}
        <span className="block font-mono text-xs text-text-muted">{slug}</span>
        <span className="block text-xs text-text-muted md:hidden">{expected}</span>
        <MadeByToken token={madeByToken} />
      </th>
      <td className={`${CELL} hidden min-w-48 font-mono text-text-muted wrap-anywhere md:table-cell`}>
        {expected}
      </td>
      <td className={CELL}>
        <span className={STATUS_CLASS[status]}>{texts.status[status]}</span>
        {problem !== null && <span className="block text-critical">{problem}</span>}
        {incidentId !== null && (
          <Link
            to="/incidents/$incidentId"
            params={{ incidentId }}
            className="block text-accent hover:underline"
          >
            {texts.incident}
          </Link>
        )}
      </td>
      <td className={`${CELL} hidden text-text-muted sm:table-cell`}>
        {lastCheckInAt === null ? texts.never : <RelativeTime at={lastCheckInAt} />}
      </td>
      <td className={`${CELL} hidden text-text-muted lg:table-cell`}>
        {nextDueAt === null ? (
          texts.none
        ) : (
          <time dateTime={nextDueAt} className="whitespace-nowrap" title={formatExactTime(nextDueAt)}>
            {formatMinute(nextDueAt)}
          </time>
        )}
      </td>
      <td className={`${CELL} text-right`}>
        <ScheduleMenu {...{ schedule, onAction }} />
      </td>
    </tr>
  );
}
