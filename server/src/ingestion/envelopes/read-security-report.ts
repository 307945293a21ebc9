import { type JsonObject, toList, toObject } from '../../platform/json/json-object.ts';
import { Changes } from '../event/changes.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { toText } from './json-values.ts';

/**
 * Returns readers of what a browser reports that a page violated: one report in an object that names its kind, or a list
 * of them.
 */
export function readSecurityReports(value: unknown, isChanged: boolean): (() => Observation)[] {
  const reports = Array.isArray(value)
    ? toList(value).map((report) => ({
        kind: toText(toObject(report).type),
        body: toObject(toObject(report).body),
      }))
    : Object.entries(toObject(value)).map(([kind, body]) => ({ kind, body: toObject(body) }));
  return reports.map(({ kind, body }) => () => {
    const changes = new Changes();
    changes.add('fields', isChanged);
    const type = kind === 'csp-report' ? 'csp-violation' : (kind ?? 'security');
    const directive = field(body, 'effective-directive', 'effectiveDirective', 'violated-directive');
    const blocked = originOf(field(body, 'blocked-uri', 'blockedURL'));
    const page = field(body, 'document-uri', 'documentURL');
    return {
      type: changes.shorten(type, 128),
      severity: 'warn',
      source: 'browser',
      message: changes.shorten(
        directive === null
          ? `The browser reports ${type}`
          : `Blocked ${blocked ?? 'a resource'} by ${directive}`,
        MAX_MESSAGE_LENGTH,
      ),
      payload: { ...body, ...(page !== null && { page }) },
      correlation: undefined,
      fingerprint: [type, directive ?? '', blocked ?? ''],
      changed: changes.list,
    };
  });
}

function field(body: JsonObject, ...names: string[]): string | null {
  const name = names.find((name) => toText(body[name]) !== null);
  return name === undefined ? null : toText(body[name]);
}

/** The origin of an address, which is the same for all of its files; `inline` and the like as sent. */
function originOf(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return address;
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
