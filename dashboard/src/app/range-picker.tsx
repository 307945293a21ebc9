import { useNow } from '../lib/clock.ts';
import { formatRange } from '../lib/format-range.ts';
import { boundsOf, DEFAULT_RANGE, RANGES, type Scope, useScope } from '../lib/scope.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { earlierWindow, laterWindow } from '../lib/windows.ts';
import { Button } from '../ui/controls/button.tsx';
import { usePanel } from '../ui/controls/use-panel.ts';
import { Icon } from '../ui/display/icons.tsx';
import { RangePanel } from './range-panel.tsx';
import { texts } from './texts.ts';

const words = texts.bar;

/** `Last 24 hours`, `21:20 – 21:24` */
export function nameRange(scope: Scope, nowMs: number): string {
  if (!scope.from) return RANGES[scope.range ?? DEFAULT_RANGE];
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  return formatRange(fromMs, toMs, nowMs);
}

/** Registers the keys that move through time, on pages that depend on it. */
function useRangeKeys(onOpen: () => void): void {
  const [scope, setScope] = useScope();
  const move = (range: ReturnType<typeof laterWindow>) => range && setScope({ ...range, range: undefined });
  useShortcuts([
    { keys: 't', label: words.rangeKeys.open, run: onOpen },
    { keys: '[', label: words.rangeKeys.earlier, run: () => move(earlierWindow(scope, Date.now())) },
    { keys: ']', label: words.rangeKeys.later, run: () => move(laterWindow(scope, Date.now())) },
  ]);
}

/** The time range in words, over the panel that changes it. */
export function RangePicker() {
  const [scope] = useScope();
  const now = useNow();
  const { open, setOpen, close, frame } = usePanel();
  const name = nameRange(scope, now);
  useRangeKeys(() => setOpen(true));
  return (
    <div {...frame} className="relative">
      <Button
        aria-label={words.rangeNamed(name)}
        aria-expanded={open}
        aria-keyshortcuts="t"
        onClick={() => setOpen(!open)}
      >
        <Icon name="calendar" />
        {name}
        <Icon name="chevron" className="-mr-1" />
      </Button>
      {open && (
        <div
          role="dialog"
          aria-label={words.range}
          tabIndex={-1}
          className="absolute top-full left-0 z-30 mt-1 w-[30rem] rounded-lg border border-line bg-raised p-3 shadow-lg outline-none"
        >
          <RangePanel onDone={close} />
        </div>
      )}
    </div>
  );
}
