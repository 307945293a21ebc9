import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/layout/dialog.tsx';
import { ProjectSelect } from './project-select.tsx';
import { RangePanel } from './range-panel.tsx';
import { rangeTexts } from './range-texts.ts';
import { texts } from './texts.ts';

const words = texts.bar;

/** The project and the time range, on screens whose top bar has no room for them. */
export function ScopeSheet({ withTime, onClose }: { withTime: boolean; onClose: () => void }) {
  return (
    <Dialog title={withTime ? words.both : words.project} onClose={onClose}>
      <div className="space-y-4">
        <ProjectSelect />
        {withTime && <RangePanel onDone={onClose} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{rangeTexts.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
