import { splitTimes } from './local-times.ts';

/**
 * A sentence of the service: text between backticks is the name of a type or a source, and times are in UTC.
 * @param at time of writing, if that may be long ago
 */
export function Sentence({ text, at }: { text: string; at?: string | null | undefined }) {
  return text.split(/`([^`]*)`/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="font-mono text-[0.93em]">
        {part}
      </code>
    ) : (
      <Times key={index} text={part} at={at} />
    ),
  );
}

/** Shows times in the reader's time zone, and in UTC on hover. */
function Times({ text, at }: { text: string; at: string | null | undefined }) {
  const reading = { nowMs: Date.now(), ...(at && { writtenMs: Date.parse(at) }) };
  return splitTimes(text, reading).map(({ text: part, utc }, index) =>
    utc === null ? (
      part
    ) : (
      <span key={index} title={utc} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
