import { START_MS } from './virtual-time.ts';

type Fields = Record<string, unknown>;

/** Returns the faults that the real server would find in the body of an event; an independent reading of its rules. */
export function faultsOf(path: string, body: string): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const event = JSON.parse(body) as Fields;
  check(Buffer.byteLength(body) <= 1_048_576, 'the event is larger than 1 MiB');
  checkStorable(event, 1);

  if (path === '/ingest/deploys') {
    checkText('release', 1, 128, true);
    check(/\S/.test(String(event['release'])), 'a blank release');
    checkText('environment', 1, 64, false);
    checkTime(event['at'], 30);
    return faults;
  }
  if (path === '/ingest/server-error') {
    const status = event['status_code'];
    check(Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599, 'status_code');
    checkText('error_message', 0, 32_768, true);
    checkText('path', 0, 2_048, true);
    checkText('method', 0, 32, true);
    checkText('stack', 0, 65_536, false);
  } else {
    checkText('type', 1, 128, true);
    check(['INFO', 'WARN', 'ERROR', 'CRITICAL'].includes(event['severity'] as string), 'severity');
    checkText('message', 0, 32_768, true);
    checkText('source', 1, 256, false);
    checkText('release', 1, 128, false);
    check(event['payload'] === undefined || isFields(event['payload']), 'payload is not an object');
    checkTime(event['capturedAt']);
  }
  checkCorrelation(event['correlation']);
  return faults;

  function checkText(field: string, min: number, max: number, required: boolean): void {
    const value = event[field];
    if (value === undefined && !required) return;
    if (typeof value !== 'string') return check(false, `${field} is not a string`);
    const length = characters(value);
    check(length >= min && length <= max, `${field} has ${length} characters`);
  }

  function checkTime(value: unknown, days = 7): void {
    if (value === undefined) return;
    const timeMs = Date.parse(value as string);
    check(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string), 'capturedAt is not ISO 8601');
    check(
      timeMs >= START_MS - days * 86_400_000 && timeMs <= START_MS + 300_000,
      'capturedAt is out of range',
    );
  }

  function checkCorrelation(value: unknown): void {
    if (value === undefined) return;
    if (!isFields(value)) return check(false, 'correlation is not an object');
    const entries = Object.entries(value);
    check(entries.length <= 32, 'correlation has too many keys');
    for (const [key, item] of entries) {
      check(key !== '' && characters(key) <= 256, 'a correlation key is empty or too long');
      check(item === null || ['string', 'number', 'boolean'].includes(typeof item), 'a correlation value');
      check(typeof item !== 'string' || characters(item) <= 256, 'a correlation value is too long');
    }
  }

  function checkStorable(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      check(!value.includes('\0'), 'a NUL');
      check(!/\p{Surrogate}/u.test(value), 'a lone surrogate');
    }
    if (typeof value === 'number') check(Number.isFinite(value), 'a number that is not finite');
    if (typeof value !== 'object' || value === null) return;
    check(depth <= 64, 'nested deeper than 64 levels');
    for (const [key, item] of Object.entries(value)) {
      checkStorable(key, depth);
      checkStorable(item, depth + 1);
    }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function characters(text: string): number {
  return Array.from(text).length;
}
