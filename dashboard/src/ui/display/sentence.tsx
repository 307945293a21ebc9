import { splitTimes } from './local-times.ts';

/**
 * A sentence of the service's: what stands between backticks is a name, of a type or a source, and times are in UTC.
 * @param at when it was written, where that may be long ago
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

/** In the reader's own zone; in UTC on hover. */
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
