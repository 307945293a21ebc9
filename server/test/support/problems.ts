import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/roles/errors.ts';
import type { Answer } from './client.ts';

/** Texts that must never leave the service: stacks (a time of day is none), SQL, names of the database and of files. */
const INSIDE =
  /\bat .+:\d+:\d+(?!\d*Z)|node_modules|\.ts\b|\.js:\d|SELECT |INSERT INTO|UPDATE .+ SET|relation "|column "|constraint "|pg_|postgres/i;

/** Asserts that an answer is the problem with this code, in the common form of problems (RFC 9457). */
export function expectProblem(answer: Answer, code: ErrorCode): void {
  const { status, title } = ERRORS[code];
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  assertProblemShape(answer);
  expect(answer.body).toMatchObject({ type: `urn:tocsin:error:${code}`, title, status });
}

/** Asserts the form of a problem, whichever it is. */
export function assertProblemShape(answer: Answer): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  const { errors, ...rest } = answer.body;
  expect(rest).toEqual({
    type: expect.stringMatching(/^urn:tocsin:error:[a-z_]+$/),
    title: expect.stringMatching(/./),
    status: answer.status,
    detail: expect.stringMatching(/./),
    code: expect.stringMatching(/^[a-z_]+$/),
    requestId: expect.stringMatching(/^[\w-]+$/),
  });
  if (errors !== undefined) {
    for (const error of errors) {
      expect(error).toEqual({ pointer: expect.any(String), message: expect.stringMatching(/./) });
    }
  }
  expect(answer.body.detail).not.toMatch(INSIDE);
}

/** Returns the pointers of a validation problem. */
export function expectInvalid(answer: Answer, ...pointers: string[]): void {
  expectProblem(answer, 'validation_failed');
  expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
}
