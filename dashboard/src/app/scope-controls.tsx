import { useState } from 'react';
import { useNow } from '../lib/clock.ts';
import { shortRange, useScope } from '../lib/scope.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/display/icons.tsx';
import { ProjectSelect, useProjectName } from './project-select.tsx';
import { nameRange, RangePicker } from './range-picker.tsx';
import { ScopeSheet } from './scope-sheet.tsx';
import { texts } from './texts.ts';

const words = texts.bar;

/** The project and the time range: side by side, or in a sheet behind one button on narrow screens. */
export function ScopeControls({ withTime }: { withTime: boolean }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-2 max-[899px]:hidden">
        <ProjectSelect className="w-48 xl:w-64" />
        <ClearProject />
        {withTime && <RangePicker />}
      </div>
      <div className="flex min-w-0 items-center min-[900px]:hidden">
        <ScopeButton withTime={withTime} />
        <ClearProject />
      </div>
    </>
  );
}

/** Widens the scope again: links to a page of one project narrow it, and all pages keep it. */
function ClearProject() {
  const [{ project }, setScope] = useScope();
  if (!project) return null;
  return (
    <Button
      variant="ghost"
      className="px-2!"
      aria-label={words.allProjects}
      title={words.allProjects}
      onClick={() => setScope({ project: undefined })}
    >
      <Icon name="close" />
    </Button>
  );
}

/** `Storefront · 24 h` */
function ScopeButton({ withTime }: { withTime: boolean }) {
  const [open, setOpen] = useState(false);
  const [scope] = useScope();
  const now = useNow();
  const project = useProjectName();
  const range = scope.from ? nameRange(scope, now) : shortRange(scope);
  const close = () => setOpen(false);
  return (
    <>
      <Button className="max-w-full min-w-0" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span className="sr-only">{withTime ? words.both : words.project}: </span>
        <span className="min-w-0 truncate">{project}</span>
        {withTime && <span className="text-text-muted">· {range}</span>}
        <Icon name="chevron" className="-mr-1" />
      </Button>
      {open && <ScopeSheet withTime={withTime} onClose={close} />}
    </>
  );
}
