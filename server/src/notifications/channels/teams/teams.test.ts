import { type TSchema, Type } from 'typebox';
import { expect, it } from 'vitest';
import { answer, exchange, longMessage, readBody, strict } from '../testing.ts';
import { teams } from './teams.ts';

const CONFIG = {
  url: 'https://prod-01.example.logic.azure.example/workflows/abc/triggers/manual/paths/invoke?sig=x',
};
/** https://adaptivecards.io/explorer: of version 1.2, without what reads Markdown. */
const Run = strict({
  type: Type.Literal('TextRun'),
  text: Type.String({ minLength: 1 }),
  weight: Type.Optional(Type.Enum(['lighter', 'default', 'bolder'])),
  size: Type.Optional(Type.Enum(['small', 'default', 'medium', 'large', 'extraLarge'])),
  color: Type.Optional(Type.Enum(['default', 'good', 'warning', 'attention'])),
  isSubtle: Type.Optional(Type.Boolean()),
});
const Block: TSchema = strict({
  type: Type.Literal('RichTextBlock'),
  inlines: Type.Array(Run, { minItems: 1 }),
});
const Body = strict({
  type: Type.Literal('message'),
  attachments: Type.Array(
    strict({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: Type.Null(),
      content: strict({
        $schema: Type.String(),
        type: Type.Literal('AdaptiveCard'),
        version: Type.Literal('1.2'),
        msteams: strict({ width: Type.Literal('full') }),
        body: Type.Array(Block),
        actions: Type.Optional(
          Type.Array(
            strict({ type: Type.Literal('Action.OpenUrl'), title: Type.String(), url: Type.String() }),
          ),
        ),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

it('sends an adaptive card, which a workflow accepts with 202', async () => {
  const { attempted, requests } = await exchange(teams, CONFIG, () => answer(202));
  expect(attempted.outcome).toEqual({ kind: 'delivered', remote: null });
  expect(requests[0]?.url).toBe(CONFIG.url);
  readBody(Body, requests[0]);
});

it('keeps a card with hostile text below the 28 kB that Teams takes', async () => {
  const { requests } = await exchange(teams, CONFIG, () => answer(202), { message: longMessage() });
  readBody(Body, requests[0]);
  expect(Buffer.byteLength(String(requests[0]?.body))).toBeLessThan(28 * 1_024);
});

it('gives up if the workflow requires a login, and refuses the retired connectors', async () => {
  const { attempted } = await exchange(teams, CONFIG, () => answer(401, { error: { code: 'x' } }));
  expect(attempted.outcome).toMatchObject({ kind: 'permanent', isTargetRefused: true });
  expect(teams.check({ url: 'https://example.webhook.office.com/webhookb2/x' })).toHaveLength(1);
  expect(teams.check({ ...CONFIG })).toEqual([]);
});
