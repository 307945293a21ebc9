import type { ProjectRequests } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Empty } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/layout/table.tsx';
import { texts } from './texts.ts';

type KeyRequests = ProjectRequests['keys'][number];

const words = texts.counts;

/** The requests of the last 24 hours by protocol and key. */
export function RequestCounts({ keys }: Pick<ProjectRequests, 'keys'>) {
  return (
    <Section title={words.title}>
      {keys.length === 0 ? (
        <Empty sign="clock" title={words.none}>
          {words.noneHint}
        </Empty>
      ) : (
        <Table
          label={words.title}
          columns={[words.protocol, words.key, words.accepted, words.refused, { wide: words.last }]}
        >
          {keys.map((line) => (
            <KeyRow key={`${line.protocol} ${line.keyId}`} line={line} />
          ))}
        </Table>
      )}
      <p className="mt-2 text-sm text-text-muted">{words.delay}</p>
    </Section>
  );
}

function KeyRow({ line }: { line: KeyRequests }) {
  const { protocol, keyName, keyPrefix, isRevoked, accepted, lastAcceptedAt, refusals } = line;
  return (
    <tr className="border-b border-line align-top">
      <td className="py-1.5 pr-4">{words.protocols[protocol]}</td>
      <td className="py-1.5 pr-4 wrap-anywhere">
        {keyName === null ? words.noKey : isRevoked ? words.revoked(keyName) : keyName}
        {keyPrefix && <span className="hidden font-mono text-xs text-text-muted sm:block">{keyPrefix}…</span>}
      </td>
      <td className="py-1.5 pr-4 tabular-nums">{formatCount(accepted)}</td>
      <td className="py-1.5 pr-4">
        {refusals.length === 0 && formatCount(0)}
        {refusals.map(({ reason, quantity }) => (
          <span key={reason} className="block">
            {texts.refusal(quantity, reason)}
          </span>
        ))}
      </td>
      <td className="hidden py-1.5 text-text-muted sm:table-cell">
        {lastAcceptedAt ? <RelativeTime at={lastAcceptedAt} /> : words.never}
      </td>
    </tr>
  );
}
