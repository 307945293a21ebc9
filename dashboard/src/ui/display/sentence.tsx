/** A sentence of the service's, in which what stands between backticks is a name: of a type, of a source. */
export function Sentence({ text }: { text: string }) {
  return text.split(/`([^`]*)`/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="font-mono text-[0.93em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
