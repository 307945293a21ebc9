import { type ReactNode, useCallback, useEffect } from 'react';
import { anchorOf } from './anchor.ts';

interface PageProps {
  title: string;
  /** Heading, if it differs from the title of the tab. */
  heading?: ReactNode;
  /** Head with a heading of its own. */
  head?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** True for lists and charts, which take the whole width; texts stay narrow enough to be read. */
  wide?: boolean;
}

/** Sets the title of the tab, after the count of open incidents that the frame adds. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${document.title.match(/^\(\d+\) /)?.[0] ?? ''}${title} · Tocsin`;
  }, [title]);
}

/** A page: one heading, actions, content. */
export function Page({ title, heading, head, actions, children, wide = false }: PageProps) {
  useTitle(title);
  return (
    <div className={`px-4 py-4 ${wide ? '' : 'max-w-[1200px]'}`}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        {head ?? <h1 className="min-w-0 flex-[1_1_9rem] wrap-anywhere">{heading ?? title}</h1>}
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A part of a page under a heading of its own, to which the address may lead: its data may come after the page. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = anchorOf(title);
  const scrollTo = useCallback(
    (element: HTMLElement | null) => {
      if (location.hash === `#${id}`) element?.scrollIntoView();
    },
    [id],
  );
  return (
    <section ref={scrollTo} id={id} aria-label={title} className="mb-6 scroll-mt-16">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="flex-auto">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
