import { useMutation, useQuery } from '@tanstack/react-query';
import type { NewNotificationRoute, NotificationPreview } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, QueryState } from '../../ui/feedback/states.tsx';
import { PREVIEW_DAYS, previewQuery, previewRoute } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.preview;

/** A preview of what a stored route would have sent. */
export function RoutePreview({ routeId, maxPerWeek }: { routeId: string; maxPerWeek: number | null }) {
  const { data, error, refetch } = useQuery(previewQuery(routeId));
  if (!data) return <QueryState query={{ error, refetch }} rows={1} />;
  return <Preview preview={data} maxPerWeek={maxPerWeek} />;
}

/** A preview of the route in the surrounding form. */
export function FormPreview({ read }: { read: (form: FormData) => NewNotificationRoute }) {
  const { mutate, data, error, isPending, variables } = useMutation({ mutationFn: previewRoute });
  return (
    <div>
      <Button
        busy={isPending}
        onClick={({ currentTarget: { form } }) => {
          if (!form) return;
          const { maxPerWeek = null, ...values } = read(new FormData(form));
          mutate({ ...values, maxPerWeek: Number.isNaN(maxPerWeek) ? null : maxPerWeek });
        }}
      >
        {words.ask}
      </Button>
      {error && <Alert>{error.message}</Alert>}
      {data && !isPending && <Preview preview={data} maxPerWeek={variables?.maxPerWeek ?? null} />}
    </div>
  );
}

function Preview({ preview, maxPerWeek }: { preview: NotificationPreview; maxPerWeek: number | null }) {
  const { messages, atNight, digests, isComplete, held, dropped, overBudget, budgetDigests, bySeverity } =
    preview;
  const fitting = bySeverity.find(({ mostPerWeek }) => maxPerWeek !== null && mostPerWeek <= maxPerWeek);
  return (
    <div role="status" className="mt-2 space-y-1 text-sm">
      <p>
        {words.sent(PREVIEW_DAYS, messages, atNight)}
        {words.digests(digests)}
        {words.held(held, dropped)}
        {words.beyond(overBudget, budgetDigests)}
        {!isComplete && words.incomplete}
      </p>
      <table className="text-left">
        <caption className="text-left text-text-muted">{words.bySeverity}</caption>
        <thead className="text-text-muted">
          <tr>
            {words.columns.map((column) => (
              <th key={column} scope="col" className="pr-4 font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bySeverity.map((each) => (
            <tr key={each.minSeverity}>
              <th scope="row" className="pr-4 font-normal">
                {texts.routes.fromSeverity(each.minSeverity)}
              </th>
              {[each.messages, each.atNight, each.mostPerWeek].map((count, index) => (
                <td key={words.columns[index + 1]} className="pr-4 tabular-nums">
                  {count.toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {maxPerWeek !== null && <p>{words.fitting(maxPerWeek, fitting?.minSeverity ?? null)}</p>}
    </div>
  );
}
