import type { ScrubPreviewRecord } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import { SCRUB_RULES } from '../../../lib/scrub-rules.ts';
import { Table } from '../../../ui/layout/table.tsx';
import { texts as words } from './scrub-preview-texts.ts';

/** Shows by rule what choices would have replaced, and where. */
export function ScrubPreview({ preview }: { preview: ScrubPreviewRecord }) {
  if (preview.events === 0) return <p className="mt-4 text-text-muted">{words.none}</p>;
  const rules = preview.rules.filter(({ filtered, found }) => filtered + found > 0);
  const isSame = rules.every(({ found }) => found === 0);
  return (
    <section aria-label={words.title} className="mt-4">
      <p className="mb-2 text-text-muted">
        {words.hint(preview.events)} {isSame && words.nothing} {words.keptUnknown}
      </p>
      {rules.length > 0 && (
        <Table label={words.title} columns={[words.rule, words.filtered, words.found, words.places]}>
          {rules.map(({ rule, filtered, found, places }) => (
            <tr key={rule} className="border-b border-line align-top">
              <td className="py-1.5 pr-4">{SCRUB_RULES[rule]}</td>
              <td className="py-1.5 pr-4">{formatCount(filtered)}</td>
              <td className="py-1.5 pr-4">{formatCount(found)}</td>
              <td className="py-1.5 text-sm wrap-anywhere">
                <ul>
                  {places.map(({ place, events, example }) => (
                    <li key={place}>
                      {words.place(place, events)}{' '}
                      <code className="font-mono text-text-muted">{example}</code>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
