import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  alertmanagerSnippet,
  cloudEventSnippet,
  curlSnippet,
  expressSnippet,
  grafanaSnippet,
  installSdkSnippet,
  otlpSnippet,
  pingSnippet,
  scriptText,
  sdkSnippet,
  sentrySnippet,
  shellText,
} from './snippets.ts';

const NAMES = [
  'Shop',
  "O'Brien's “shop”",
  '"quoted"',
  '$(touch /tmp/oops) `id` $HOME',
  'back\\slash \\" and \\',
  'two\nlines\tand a tab',
  '${name}',
  '</script><b>',
  '!history ; rm -rf *',
  'ümläut 店 🔔',
  '-d @/etc/passwd',
  'a\u2028b',
];
const facts = { apiKey: 'tsn_live_abc', ingestUrl: 'http://localhost:4100', number: 7 };

describe('a snippet', () => {
  it.each(NAMES)('passes %j through a curl snippet unchanged', (source) => {
    // A real shell runs the snippet; a function in place of curl prints its arguments.
    const script = `curl() { printf '%s\\0' "$@"; }\n${curlSnippet({ ...facts, source })}`;
    const words = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words.slice(0, 6)).toEqual([
      'http://localhost:4100/ingest/events',
      '-H',
      'X-Api-Key: tsn_live_abc',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    expect(JSON.parse(words[6] ?? '')).toEqual({
      type: 'checkout',
      severity: 'INFO',
      message: 'My first event',
      source,
    });
  });

  it.each(NAMES)('passes %j through a JavaScript snippet unchanged', (source) => {
    const script = `process.stdout.write(${scriptText(source)})`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe(source);
  });

  it('puts key and address into each snippet', () => {
    const makers = [
      curlSnippet,
      sdkSnippet,
      expressSnippet,
      otlpSnippet,
      alertmanagerSnippet,
      grafanaSnippet,
      cloudEventSnippet,
    ];
    for (const make of makers) {
      const text = make({ ...facts, source: 'Shop' });
      expect(text).toContain('tsn_live_abc');
      expect(text).toContain('http://localhost:4100');
    }
    expect(pingSnippet({ ...facts, source: 'Shop' })).toContain('http://localhost:4100/ping/');
    const dsn = 'http://tsn_live_abc@localhost:4100/7';
    const sentry = sentrySnippet({ ...facts, source: 'Shop' });
    expect(sentry).toContain(`dsn: '${dsn}'`);
    expect(sentry).toContain("tunnel: 'http://localhost:4100/t/7'");
  });

  it('installs the SDK from the address of the service', () => {
    expect(installSdkSnippet('https://tocsin.example.com/')).toBe(
      'npm install https://tocsin.example.com/sdk.tgz',
    );
  });

  it('quotes only words that need it', () => {
    expect(shellText('http://localhost:4100/ingest/events')).toBe('http://localhost:4100/ingest/events');
    expect(shellText('https://a.example/x?a=1&b=2')).toBe("'https://a.example/x?a=1&b=2'");
    expect(scriptText('say "hi"')).toBe(`'say "hi"'`);
  });
});
