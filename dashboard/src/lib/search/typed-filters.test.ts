import { expect, it } from 'vitest';
import { readTypedFilters } from './typed-filters.ts';

it.each([
  ['card declined', 'card declined', {}],
  ['environment:staging', '', { environment: 'staging' }],
  [
    'card  environment:eu-west declined source:api',
    'card declined',
    { environment: 'eu-west', source: 'api' },
  ],
  ['content-type:json environment: other:x', 'content-type:json environment: other:x', {}],
])('reads %j as words and filters', (text, words, filters) => {
  expect(readTypedFilters(text)).toEqual({ words, filters });
});
