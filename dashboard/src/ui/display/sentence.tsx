import { splitTimes } from './local-times.ts';

/** A sentence of the service's: what stands between backticks is a name, of a type or a source, and times are in UTC. */
export function Sentence({ text }: { text: string }) {
  return text.split(/`([^`]*)`/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="font-mono text-[0.93em]">
        {part}
      </code>
    ) : (
      <Times key={index} text={part} />
    ),
  );
}

/** In the reader's own zone; in UTC on hover. */
function Times({ text }: { text: string }) {
  return splitTimes(text, Date.now()).map(({ text: part, utc }, index) =>
    utc === null ? (
      part
    ) : (
      <span key={index} title={utc} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
