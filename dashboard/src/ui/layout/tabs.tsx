import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

interface Tab {
  name: string;
  content: ReactNode;
}

/** Tabs by the ARIA pattern: one of them is in the tab order, the arrow keys choose. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    setChosen(index);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tabs.length - 1;
    const target = {
      ArrowRight: chosen === last ? 0 : chosen + 1,
      ArrowLeft: chosen === 0 ? last : chosen - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line sm:flex-wrap sm:overflow-visible"
      >
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            onKeyDown={onKeyDown}
            className={`min-h-9 shrink-0 border-b-2 px-3 text-sm focus-visible:-outline-offset-2 sm:-mb-px ${index === chosen ? 'border-accent font-semibold' : 'border-transparent text-text-muted hover:text-text'}`}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} className="pt-3">
        {tabs[chosen]?.content}
      </div>
    </div>
  );
}
