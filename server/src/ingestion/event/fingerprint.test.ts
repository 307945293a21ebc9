import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FingerprintInput, fingerprint } from './fingerprint.ts';
import { normalizeMessage } from './normalize-message.ts';

/** Strings of any code points; fast-check's own unit for them takes seconds to build. */
const anyText = () => fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });
const event = { type: 'checkout', source: 'shop', message: 'Boom' };
const of = (message: string) => fingerprint({ ...event, message });
const ofStack = (stack: string, more: Partial<FingerprintInput> = {}) =>
  fingerprint({ type: 'server_error', source: 'server', message: 'Boom', statusCode: 500, stack, ...more });

describe('a fingerprint', () => {
  it('makes a fingerprint of 16 hex characters, whatever the event holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), anyText(), fc.option(anyText()), (...values) => {
        const [type, source, message, stack] = values;
        expect(fingerprint({ type, source, message, stack })).toMatch(/^[0-9a-f]{16}$/);
        expect(fingerprint({ type, source, message, fingerprint: [message] })).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  it.each([
    ['numbers', 'Order 7 failed after 3 tries', 'Order 48213 failed after 12 tries'],
    ['prices and percentages', 'Charged 4.20 at 7%', 'Charged 1999.99 at 19%'],
    [
      'UUIDs',
      'Job 0190a000-0000-7000-8000-000000000000 died',
      'Job f47ac10b-58cc-4372-a567-0e02b2c3d479 died',
    ],
    ['prefixed ids', 'No user usr_01h455vb4pex', 'No user usr_77'],
    ['hexadecimal addresses', 'Fault at 0x7ffee4c0', 'Fault at 0x1f'],
    ['e-mail addresses', 'No mail to ada@example.com', 'No mail to grace.hopper@navy.example'],
    ['IP addresses', 'Refused by 10.0.0.7:5432', 'Refused by 192.168.17.254:6432'],
    ['IPv6 addresses', 'Refused by fe80::1', 'Refused by 2001:db8::8a2e:370:7334'],
    ['times', 'Late since 2026-11-21T09:30:00Z', 'Late since 2027-01-02T23:59:59.123Z'],
    ['values in double quotes', 'No file "a.txt"', 'No file "some other name"'],
    ['values in single quotes', "No column 'name' here", "No column 'e-mail of the user' here"],
    ['values in backticks', 'No table `users`', 'No table `audit_log`'],
    ['long quoted values', `Cannot read "${'x'.repeat(3_000)}" here`, 'Cannot read "y" here'],
    [
      'ids of another length before a long text',
      `Order 7 failed: ${'no stock '.repeat(500)}`,
      `Order 48213997 failed: ${'no stock '.repeat(500)}`,
    ],
    ['ids beside a status', 'Order 7 failed with status 503', 'Order 8123 failed with status 503'],
    ['numbers of rows', 'The query returned 404 rows', 'The query returned 17 rows'],
    ['numbers of other statuses', 'Order status 3 is unknown', 'Order status 17 is unknown'],
    ['ports', 'HTTP 8080 is taken', 'HTTP 9090 is taken'],
  ])('does not count %s', (_what, left, right) => {
    expect(normalizeMessage(left)).toBe(normalizeMessage(right));
    expect(of(left)).toBe(of(right));
  });

  it.each([
    ['Request failed with status code 404', 'Request failed with status code 500'],
    ['HTTP 502', 'HTTP 503'],
    ['HTTP/1.1 502 from upstream', 'HTTP/1.1 504 from upstream'],
    ['status=404', 'status=409'],
    ['{"statusCode":404}', '{"statusCode":429}'],
    ['Upstream responded with 502', 'Upstream responded with 503'],
    ['429 Too Many Requests', '503 Service Unavailable'],
    ['GET /orders/7: 403 Forbidden', 'GET /orders/7: 404 Not Found'],
    ['SQLSTATE[23505]: unique violation', 'SQLSTATE[23503]: unique violation'],
    ['deadlock (SQLSTATE 40P01)', 'deadlock (SQLSTATE 40001)'],
    ['{"code": 1, "sqlstate": "23505", "table": "a"}', '{"code": 1, "sqlstate": "23503", "table": "b"}'],
    ["failed, SQLSTATE: '23505'", "failed, SQLSTATE: '23514'"],
    ['ERROR 1062 (23000)', 'ERROR 1451 (23000)'],
    ['[Errno 111] Connection refused', '[Errno 113] Connection refused'],
    ['open failed (os error 2)', 'open failed (os error 13)'],
    ['errno: -104', 'errno: -110'],
    ['killed by signal 9', 'killed by signal 15'],
    ['died of SIGUSR1', 'died of SIGUSR2'],
    ['exit status 1', 'exit status 137'],
    ['The process exited with code 1', 'The process exited with code 2'],
    ['exit_code=3', 'exit_code=4'],
  ])('counts the number that names the cause in %s', (left, right) => {
    expect(of(left)).not.toBe(of(right));
    // And nothing else of it.
    expect(of(`${left} for order 7`)).toBe(of(`${left} for order 4711`));
  });

  it('counts the words of the message', () => {
    expect(of('The basket is empty')).not.toBe(of('The basket is full'));
    expect(of("The shop isn't open, it doesn't answer")).not.toBe(
      of("The shop isn't shut, it doesn't answer"),
    );
  });

  it('counts type and source, each by itself', () => {
    const ofSeries = (type: string, source: string) => fingerprint({ type, source, message: 'x' });
    expect(ofSeries('a', 'b')).not.toBe(ofSeries('b', 'b'));
    expect(ofSeries('a', 'b')).not.toBe(ofSeries('a', 'c'));
    expect(ofSeries('a', 'bc')).not.toBe(ofSeries('ab', 'c'));
    expect(ofSeries('a', 'api-v1')).not.toBe(ofSeries('a', 'api-v2'));
    expect(ofSeries('a', 's3')).not.toBe(ofSeries('a', 'oauth2'));
  });

  it.each([
    ['a Deployment', 'checkout-7d9f8b6c5d-x2x9z', 'checkout-5c6d7f8b9-abcde'.replace('abcde', 'kq7mt')],
    ['a DaemonSet', 'agent-x2x9z', 'agent-7kqmt'],
    ['a StatefulSet', 'worker-0', 'worker-12'],
    ['an address', 'shop@10.0.0.7:8080', 'shop@10.0.0.23:8080'],
    ['a host of a cloud', 'ip-10-0-0-7', 'ip-10-1-2-3'],
    ['a container', '4f5e6d7c8b9a', '0123456789ab'],
  ])('counts the same source for each instance of %s', (_what, left, right) => {
    expect(fingerprint({ ...event, source: left })).toBe(fingerprint({ ...event, source: right }));
  });

  it('computes a fingerprint in a time that grows no faster than the message', () => {
    const hostile = [
      '"',
      "'",
      '`',
      "'a",
      "' ",
      '@',
      '1.',
      'a"\'`',
      '"\'',
      ' ',
      'status ',
      'exit',
      '404 ',
      '(((',
    ];
    for (const piece of hostile) {
      // A backtracking pattern would not end at this length: the time limit of the test is the assertion.
      normalizeMessage(piece.repeat(Math.ceil(32_768 / piece.length)));
      of(piece.repeat(500_000));
      ofStack(piece.repeat(100_000));
      ofStack(`Error: ${piece}\n`.repeat(20_000));
      fingerprint({ ...event, source: piece.repeat(256) });
    }
  });
});

describe('the fingerprint of a stack', () => {
  const frames = (line: number, file = '/app/src/pay.js') =>
    `\n    at f (/x/node_modules/l/i.js:${line}:1)\n    at charge (${file}:${line}:5)\n    at check (/app/src/shop.js:9:1)`;

  it('counts the class and the frames of the application, and neither message nor lines', () => {
    const boom = ofStack(`TypeError: The card was refused${frames(10)}`);
    expect(ofStack(`TypeError: Something else${frames(99)}`, { message: 'Other' })).toBe(boom);
    expect(ofStack(`ValidationError: The card was refused${frames(10)}`)).not.toBe(boom);
    expect(ofStack(`TypeError: The card was refused${frames(10, '/app/src/ship.js')}`)).not.toBe(boom);
    const built = (file: string) => ofStack(`TypeError: x${frames(10, file)}`);
    expect(built('/app/main-8f3a.js')).toBe(built('/app/main-77bc.js'));
  });

  it('counts the status code of the answer', () => {
    const ofStatus = (statusCode: number) => ofStack(`Error: x${frames(1)}`, { statusCode });
    expect(ofStatus(500)).not.toBe(ofStatus(503));
    expect(ofStatus(1e308)).toBe(ofStatus(-7));
    const bare = { type: 'server_error', source: 'server', message: 'x' };
    expect(fingerprint({ ...bare, statusCode: 500 })).not.toBe(fingerprint({ ...bare, statusCode: 404 }));
  });

  it('takes the class from the message where the stack begins with its frames', () => {
    const firefox =
      'charge@https://shop.example/src/pay.js:10:5\ncheck@https://shop.example/src/shop.js:20:5';
    const ofMessage = (message: string) => ofStack(firefox, { message });
    expect(ofMessage('TypeError: a')).toBe(ofMessage('TypeError: b'));
    expect(ofMessage('TypeError: a')).not.toBe(ofMessage('RangeError: a'));
  });

  it('ignores the numbers of lambdas and of generated classes', () => {
    const java = (name: string) => `java.lang.IllegalStateException: x\n\tat ${name}(Pay.java:10)`;
    expect(ofStack(java('shop.Pay.lambda$charge$3'))).toBe(ofStack(java('shop.Pay.lambda$charge$7')));
    expect(ofStack(java('shop.Pay$$EnhancerBySpringCGLIB$$8f3a.charge'))).toBe(
      ofStack(java('shop.Pay$$EnhancerBySpringCGLIB$$77bc.charge')),
    );
  });

  it.each([
    [
      'Java',
      (outer: string, at: string) =>
        `${outer}: wrapped\n\tat ${at}(Api.java:5)\nCaused by: java.net.ConnectException: refused\n\tat shop.Db.connect(Db.java:3)\n\t... 12 more`,
    ],
    [
      'the SDK',
      (outer: string, at: string) =>
        `${outer}: wrapped\n    at ${at} (/app/api.js:5:1)\nCaused by: ConnectError: refused\n    at connect (/app/db.js:3:1)`,
    ],
    [
      'Node',
      (outer: string, at: string) =>
        `${outer}: wrapped\n    at ${at} (/app/api.js:5:1) {\n  [cause]: ConnectError: refused\n      at connect (/app/db.js:3:1)\n}`,
    ],
    [
      'Python',
      (outer: string, at: string) =>
        `Traceback (most recent call last):\n  File "/app/db.py", line 3, in connect\n    socket()\nConnectError: refused\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/app/api.py", line 5, in ${at}\n    connect()\n${outer}: wrapped\nin two lines`,
    ],
    [
      'PHP',
      (outer: string, at: string) =>
        `ConnectError: refused in /app/db.php:3\nStack trace:\n#0 /app/db.php(3): connect()\n\nNext ${outer}: wrapped in /app/api.php:5\nStack trace:\n#0 /app/api.php(5): ${at}()`,
    ],
  ])('counts the innermost cause of a chain of %s, whatever wraps it', (_what, chain) => {
    expect(ofStack(chain('ApiError', 'checkOut'))).toBe(ofStack(chain('JobError', 'retry')));
    const other = (stack: string) => stack.replaceAll(/Connect(?=Error|Exception)/g, 'Timeout');
    expect(ofStack(other(chain('ApiError', 'checkOut')))).not.toBe(ofStack(chain('ApiError', 'checkOut')));
  });

  it('finds the cause at the end of a long stack', () => {
    const long = Array.from({ length: 400 }, (_, i) => `\tat org.lib.A${i}.call(A.java:${i})`).join('\n');
    const chain = (cause: string) =>
      `ApiError: x\n\tat shop.Api.call(Api.java:1)\n${long}\nCaused by: ${cause}: x\n\tat shop.Db.connect(Db.java:3)`;
    expect(ofStack(chain('ConnectError'))).not.toBe(ofStack(chain('TimeoutError')));
  });

  it('does not count what Python was handling when another exception occurred as its cause', () => {
    const chain = (handled: string) =>
      `Traceback (most recent call last):\n  File "/app/db.py", line 3, in connect\n${handled}: refused\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "/app/api.py", line 5, in check\nAttributeError: no such name`;
    expect(ofStack(chain('ConnectError'))).toBe(ofStack(chain('KeyError')));
    expect(ofStack(chain('KeyError'))).not.toBe(ofStack(chain('KeyError').replace('Attribute', 'Type')));
  });

  it('does not count a suppressed exception as a cause', () => {
    const chain = (suppressed: string) =>
      `ApiError: x\n\tat shop.Api.call(Api.java:1)\n\tSuppressed: ${suppressed}: x\n\t\tat shop.Log.close(Log.java:3)`;
    expect(ofStack(chain('CloseError'))).toBe(ofStack(chain('FlushError')));
  });
});

describe('the fingerprint of a built bundle', () => {
  const hashed = (hash: string, name: string, message = 'x is gone') =>
    ofStack(
      `TypeError: ${message}\n    at ${name} (https://shop.example/assets/index-${hash}.js:1:20411)\n    at https://shop.example/assets/vendor-${hash}.js:2:991`,
      { message },
    );

  it.each([
    ['8f3ac2d1', 'a1b2c3d4'],
    ['DkP3x9aB', 'QwErTyUi'],
    ['D_k3-9aB', 'x-Y7_q2Z'],
    ['8f3ac2d1b5e6f7a8b9c0', '0123456789abcdef0123'],
    ['5K3MWVBV', 'QWERTZUI'],
  ])('does not depend on the files and functions of a build with the hash %s', (left, right) => {
    expect(hashed(left, 'charge')).toBe(hashed(right, 'checkOut'));
  });

  it('does not depend on functions of one letter', () => {
    const minified = (a: string, b: string) =>
      ofStack(
        `TypeError: x\n    at ${a} (https://shop.example/app.js:1:4711)\n    at Object.${b} (https://shop.example/app.js:1:99)`,
      );
    expect(minified('t', 'e')).toBe(minified('n', 'i'));
  });

  it('counts the class and the message, without minified names', () => {
    expect(hashed('8f3ac2d1', 't', 'e.map is not a function')).toBe(
      hashed('a1b2c3d4', 'n', 'Qe.map is not a function'),
    );
    expect(hashed('8f3ac2d1', 't', 'No basket')).not.toBe(hashed('8f3ac2d1', 't', 'No card'));
    expect(hashed('8f3ac2d1', 't')).not.toBe(
      ofStack('RangeError: x is gone\n    at t (https://shop.example/assets/index-8f3ac2d1.js:1:20411)', {
        message: 'x is gone',
      }),
    );
  });

  it.each(['handlers', 'PaymentForm', 'handler2', '20261122', 'use_basket'])(
    'counts the frames of a file that is named %s by a person',
    (name) => {
      const written = (at: string) => ofStack(`TypeError: x\n    at ${at} (/app/src/shop-${name}.js:10:5)`);
      expect(written('charge')).not.toBe(written('checkOut'));
    },
  );
});

describe('a fingerprint of the sender', () => {
  const own = (...parts: string[]) => fingerprint({ ...event, fingerprint: parts });

  it('decides alone, by its parts in their order', () => {
    expect(own('a')).toBe(fingerprint({ type: 'other', source: null, message: 'x', fingerprint: ['a'] }));
    expect(own('a', 'b')).not.toBe(own('b', 'a'));
    expect(own('a', 'b')).not.toBe(own('a,b'));
    expect(own('Order 7')).not.toBe(own('Order 8'));
    expect(own('Boom')).not.toBe(of('Boom'));
  });

  it('replaces {{ default }} by the computed fingerprint', () => {
    const withDefault = (message: string) =>
      fingerprint({ ...event, message, fingerprint: ['{{ default }}', 'eu'] });
    expect(withDefault('Order 7')).toBe(withDefault('Order 8'));
    expect(withDefault('Order 7')).not.toBe(withDefault('Card 7'));
    expect(withDefault('Order 7')).not.toBe(own('{{ other }}', 'eu'));
  });
});
