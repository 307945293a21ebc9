import { type Static, Type } from 'typebox';
import { Nullable } from '../../http/schemas.ts';

export const SourceFrame = Type.Object({
  function: Nullable(Type.String()),
  file: Type.String(),
  line: Nullable(Type.Integer()),
  column: Nullable(Type.Integer()),
  inApplication: Type.Boolean(),
  context: Nullable(
    Type.Object(
      { firstLine: Type.Integer(), lines: Type.Array(Type.String()) },
      { description: 'Lines of the source around the frame; null where the map has none of it.' },
    ),
  ),
});
export type SourceFrame = Static<typeof SourceFrame>;

export const SourceCause = Type.Object({
  type: Nullable(Type.String()),
  value: Nullable(Type.String({ description: 'Message of the cause.' })),
  frames: Type.Array(SourceFrame),
});
export type SourceCause = Static<typeof SourceCause>;
