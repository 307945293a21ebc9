import { type Static, Type } from 'typebox';
import { Nullable } from '../http/schemas.ts';
import { toId } from '../platform/ids.ts';

/** An access token with its name at that time: it may be deleted. The id is a UUID. */
export interface MakerToken {
  id: string;
  name: string;
}

const NamedToken = Type.Object({
  id: Type.String({ examples: ['tok_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
});

export const NullableToken = (description: string) =>
  Nullable(Type.Object(NamedToken.properties, { description }));

/** Field of lists whose rows outlive a token. */
export const MadeByToken = NullableToken(
  'The access token that made it; null: a login or an application did, or a version that did not record it.',
);

export function toNamedToken(token: MakerToken | null): Static<typeof NamedToken> | null {
  return token && { id: toId('tok', token.id), name: token.name };
}
