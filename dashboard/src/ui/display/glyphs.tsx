import type { Severity, Status } from '../../lib/api-types.ts';

const SEVERITY_GLYPHS: Record<Severity, { text: string; className: string }> = {
  info: { text: '○', className: 'text-info' },
  warn: { text: '△', className: 'text-warn' },
  error: { text: '◇', className: 'text-error' },
  critical: { text: '◆', className: 'text-critical' },
};

/** A severity that keeps its meaning without colour: a shape, and its word for screen readers. */
export function SeverityGlyph({ severity, withWord = false }: { severity: Severity; withWord?: boolean }) {
  const { text, className } = SEVERITY_GLYPHS[severity];
  return (
    <span className={`${className} inline-flex items-center gap-1 whitespace-nowrap`} title={severity}>
      <span aria-hidden="true">{text}</span>
      <span className={withWord ? 'text-sm' : 'sr-only'}>{severity}</span>
    </span>
  );
}

const STATUS_GLYPHS: Record<Status, { text: string; className: string }> = {
  open: { text: '●', className: 'text-critical' },
  investigating: { text: '◐', className: 'text-warn' },
  resolved: { text: '○', className: 'text-text-muted' },
};

export function StatusGlyph({ status, withWord = true }: { status: Status; withWord?: boolean }) {
  const { text, className } = STATUS_GLYPHS[status];
  return (
    <span className={`${className} inline-flex items-center gap-1 whitespace-nowrap`}>
      <span aria-hidden="true">{text}</span>
      <span className={withWord ? 'text-sm' : 'sr-only'}>{status}</span>
    </span>
  );
}
