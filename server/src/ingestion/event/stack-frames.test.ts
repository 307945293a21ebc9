import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStackFrames } from './stack-frames.ts';

/** Strings of any code points; fast-check's own unit for them takes seconds to build. */
const anyText = (maxLength: number) =>
  fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)), maxLength });

describe('the frames of a stack', () => {
  it('reads the stack frames of V8', () => {
    const stack = `TypeError: x is not a function
    at charge (/app/src/pay.js:10:5)
    at async Shop.checkOut (file:///app/src/shop.js:20:7)
    at /app/src/anonymous.js:1:2
    at Layer.handle (/app/node_modules/express/lib/layer.js:95:5)
    at node:internal/process/task_queues:95:5
    at Promise.all (index 0)`;
    expect(parseStackFrames(stack)).toEqual([
      { function: 'charge', file: '/app/src/pay.js', line: 10, column: 5, inApplication: true },
      {
        function: 'Shop.checkOut',
        file: 'file:///app/src/shop.js',
        line: 20,
        column: 7,
        inApplication: true,
      },
      { function: null, file: '/app/src/anonymous.js', line: 1, column: 2, inApplication: true },
      {
        function: 'Layer.handle',
        file: '/app/node_modules/express/lib/layer.js',
        line: 95,
        column: 5,
        inApplication: false,
      },
      {
        function: null,
        file: 'node:internal/process/task_queues',
        line: 95,
        column: 5,
        inApplication: false,
      },
    ]);
  });

  it('reads the stack frames of Firefox', () => {
    expect(
      parseStackFrames('charge@https://shop.example/pay.js:10:5\n@https://shop.example/pay.js:1:1\n'),
    ).toEqual([
      { function: 'charge', file: 'https://shop.example/pay.js', line: 10, column: 5, inApplication: true },
      { function: null, file: 'https://shop.example/pay.js', line: 1, column: 1, inApplication: true },
    ]);
  });

  it('reads the stack frames of Python, innermost first like all others', () => {
    const stack = `Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    check_out()
  File "/usr/lib/python3/dist-packages/flask/app.py", line 88, in call
    return f()
  File "/app/pay.py", line 10, in charge
    raise ValueError("no card")
ValueError: no card`;
    expect(parseStackFrames(stack)).toEqual([
      { function: 'charge', file: '/app/pay.py', line: 10, column: null, inApplication: true },
      {
        function: 'call',
        file: '/usr/lib/python3/dist-packages/flask/app.py',
        line: 88,
        column: null,
        inApplication: false,
      },
      { function: '<module>', file: '/app/main.py', line: 3, column: null, inApplication: true },
    ]);
  });

  it('reads the innermost frames of a Python stack that is too long', () => {
    const calls = Array.from(
      { length: 300 },
      (_, index) => `  File "/app/a.py", line ${index}, in f\n    f()`,
    );
    const frames = parseStackFrames(`Traceback (most recent call last):\n${calls.join('\n')}\nValueError`);
    expect(frames).toHaveLength(50);
    expect(frames[0]?.line).toBe(299);
  });

  it('reads the stack frames of Java', () => {
    const stack = `java.lang.IllegalStateException: no card
\tat shop.Pay.charge(Pay.java:10)
\tat shop.Shop$Inner.<init>(Shop.java:7)
\tat java.util.ArrayList.forEach(ArrayList.java:1511)
\t... 3 more`;
    expect(parseStackFrames(stack)).toEqual([
      { function: 'shop.Pay.charge', file: 'Pay.java', line: 10, column: null, inApplication: true },
      { function: 'shop.Shop$Inner.<init>', file: 'Shop.java', line: 7, column: null, inApplication: true },
      {
        function: 'java.util.ArrayList.forEach',
        file: 'ArrayList.java',
        line: 1511,
        column: null,
        inApplication: false,
      },
    ]);
  });

  it('reads the stack frames of PHP', () => {
    expect(
      parseStackFrames("#0 /app/pay.php(10): Pay->charge('card')\n#1 /app/vendor/x.php(3): f()\n#2 {main}"),
    ).toEqual([
      { function: 'Pay->charge', file: '/app/pay.php', line: 10, column: null, inApplication: true },
      { function: 'f', file: '/app/vendor/x.php', line: 3, column: null, inApplication: false },
    ]);
  });

  it('reads the stack frames of Go', () => {
    expect(parseStackFrames('goroutine 1 [running]:\nmain.charge(...)\n\t/app/pay.go:10 +0x1d\n')).toEqual([
      { function: null, file: '/app/pay.go', line: 10, column: null, inApplication: true },
    ]);
  });

  it('returns no frames for a stack of unknown format', () => {
    expect(parseStackFrames('')).toEqual([]);
    expect(parseStackFrames('Segmentation fault\n(core dumped)')).toEqual([]);
  });

  it('returns at most 50 frames, however long the stack', () => {
    expect(parseStackFrames('    at f (/app/a.js:1:1)\n'.repeat(40_000))).toHaveLength(50);
    expect(parseStackFrames(`${'no frame\n'.repeat(300)}    at f (/app/a.js:1:1)`)).toEqual([]);
  });

  it('parses a stack in a time that a sender cannot inflate', () => {
    const pieces = [
      'at ',
      'at a (',
      ':1',
      ':1:1',
      '(',
      '@',
      '@:1',
      ' ',
      'File "',
      '#0 /a(1',
      '\t',
      '.go:',
      'at async ',
    ];
    // A backtracking pattern would not end at this length: the time limit of the test is the assertion.
    for (const piece of pieces) {
      const line = piece.repeat(Math.ceil(1_000 / piece.length)).slice(0, 1_000);
      parseStackFrames(`${line}\n`.repeat(1_000));
      parseStackFrames(`at ${line}\n`.repeat(1_000));
      parseStackFrames(piece.repeat(300_000));
    }
  });

  it('returns plain values within bounds for any stack', () => {
    fc.assert(
      fc.property(anyText(2_000), (text) => {
        for (const frame of parseStackFrames(`    at ${text} (${text}:1:1)\n${text}`)) {
          expect(frame.file.length).toBeLessThanOrEqual(500);
          expect(frame.function?.length ?? 0).toBeLessThanOrEqual(300);
        }
      }),
    );
  });
});
