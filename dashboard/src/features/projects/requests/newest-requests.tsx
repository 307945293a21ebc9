import type { ReactNode } from 'react';
import type { ProjectRequests } from '../../../lib/api-types.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { texts } from './texts.ts';

type Sample = ProjectRequests['newest'][number];

const words = texts.newest;

/** The newest requests, each with how it was sent. */
export function NewestRequests({ newest }: Pick<ProjectRequests, 'newest'>) {
  return (
    <Section title={words.title}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
      <ul aria-label={words.title}>
        {newest.map((sample, index) => (
          <li key={`${sample.at} ${index}`} className="border-b border-line py-1.5">
            <SampleDetails sample={sample} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function SampleDetails({ sample }: { sample: Sample }) {
  const { at, method, path, status, reason, detail, requestId, keyName, keyPrefix, isAuthenticated } = sample;
  return (
    <details>
      <summary className="cursor-pointer py-0.5 wrap-anywhere">
        <RelativeTime at={at} className="text-text-muted" />{' '}
        <span className="font-mono text-sm">
          {method} {path}
        </span>{' '}
        {status}
        {reason && ` · ${texts.reason(reason)}`}
      </summary>
      <div className="py-2 pl-4 text-sm">
        {detail && <p className="mb-1">{detail}</p>}
        {!isAuthenticated && <p className="mb-1 text-text-muted">{words.namesOnly}</p>}
        <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5">
          {(keyName ?? keyPrefix) && (
            <Pair name={words.key}>
              {keyName} <span className="font-mono">{keyPrefix && `${keyPrefix}…`}</span>
            </Pair>
          )}
          {requestId && <Pair name={words.requestId}>{requestId}</Pair>}
          {sample.headers.map(({ name, value, length }) => (
            <Pair key={name} name={name}>
              {value ?? <span className="text-text-muted">{words.characters(length)}</span>}
            </Pair>
          ))}
        </dl>
      </div>
    </details>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
