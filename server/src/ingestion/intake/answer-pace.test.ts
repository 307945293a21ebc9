import { describe, expect, it } from 'vitest';
import { AnswerPace } from './answer-pace.ts';

describe('AnswerPace', () => {
  it('allows few answers a turn after a connection, and soon more again', () => {
    const pace = new AnswerPace();
    const many = pace.take();
    for (let connection = 0; connection < 3; connection++) pace.noteConnection();
    const answers = Array.from({ length: 100 }, () => pace.take());
    expect(answers[0]).toBeGreaterThan(0);
    expect(answers[0]).toBeLessThan(many);
    expect(answers.at(-1)).toBe(many);
    expect(answers).toEqual(answers.toSorted((left, right) => left - right));
  });
});
