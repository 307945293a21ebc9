/**
 * Suffixes that orchestrators append to the name of a service for each of its instances: the pod of a Deployment
 * (`checkout-7d9f8b6c5d-x2x9z`; Kubernetes draws both suffixes from these letters) or of a DaemonSet (`agent-x2x9z`),
 * the ordinal of a StatefulSet (`worker-12`), a container or machine id, a UUID, an address.
 */
const INSTANCE = new RegExp(
  [
    '-[4-9bcdf]{6,10}-[bcdf-hj-np-tv-xz24-9]{5}',
    '-(?=[a-z]{0,4}\\d)[bcdf-hj-np-tv-xz24-9]{5}',
    '[-_.@:#]\\d{1,5}',
    '(?:^|[-_.@:])(?:[\\da-f]{12}|[\\da-f]{64}|i-[\\da-f]{8,17}|[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})',
    '(?:^|[-_.@:])(?:ip-)?\\d{1,3}(?:[.-]\\d{1,3}){3}(?::\\d{1,5})?',
  ]
    .map((form) => `(?:${form})$`)
    .join('|'),
);
const DIGIT = /\d/;

/**
 * Reduces a source to the name of its service: otherwise each instance would have errors of its own. Empty if a
 * source is only an instance.
 */
export function withoutInstance(source: string): string {
  return DIGIT.test(source) ? source.replace(INSTANCE, '') : source;
}
