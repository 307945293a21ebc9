import { Button } from '../../../ui/controls/button.tsx';
import { texts } from '../texts.ts';

interface LiveControlsProps {
  live: boolean;
  paused: boolean;
  omitted: number;
  onLive: (live: boolean) => void;
  onPause: (paused: boolean) => void;
}

/** The buttons that start and pause the live tail, and the count of skipped events. */
export function LiveControls({ live, paused, omitted, onLive, onPause }: LiveControlsProps) {
  return (
    <div className="flex items-center gap-2">
      {live && omitted > 0 && (
        <span className="text-xs whitespace-nowrap text-text-muted" title={texts.live.whySkipped}>
          {texts.live.skipped(omitted)}
        </span>
      )}
      {live && (
        <Button onClick={() => onPause(!paused)}>{paused ? texts.live.resume : texts.live.pause}</Button>
      )}
      <Button
        aria-pressed={live}
        className={live ? 'border-good! text-good!' : ''}
        onClick={() => onLive(!live)}
      >
        <span aria-hidden="true">{live && !paused ? '●' : '○'}</span> {texts.live.button}
      </Button>
    </div>
  );
}
