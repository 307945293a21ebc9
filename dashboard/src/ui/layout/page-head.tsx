import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { useTitle } from './page.tsx';

/** Main figure of a head: the first that a reader should see. */
export interface Figure {
  /** "64/min", "none", "26 h". */
  value: string;
  /** Words after it, such as "now · usually 0.3 · rising". */
  details: string;
}

interface PageHeadProps {
  /** Severity, status and place, in a line above the title. */
  context: ReactNode;
  /** Name of the document, and the whole of the heading as text. */
  title: string;
  heading: ReactNode;
  /** Lines directly below the heading. */
  below?: ReactNode;
  /** Figure; null if the page has none. */
  figure: Figure | null;
  /** Controls beside the figure. */
  beside?: ReactNode;
  /** The head in one sentence, for screen readers: the description of the title, which it does not repeat. */
  sentence: string;
  /** Facts, each a `HeadFact`. */
  facts: ReactNode;
  actions: ReactNode;
}

/** The head of a page about one thing: what it is, how bad it is, its main facts, and what can be done, in this order. */
export function PageHead(props: PageHeadProps) {
  const { context, title, heading, below, figure, beside, sentence, facts, actions } = props;
  useTitle(title);
  const id = useId();
  return (
    <header role="group" aria-label={title} aria-describedby={id} className="mb-5">
      <p className="mb-1 flex flex-wrap items-center gap-x-3 text-sm leading-6 text-text-muted">{context}</p>
      <Heading title={title}>{heading}</Heading>
      <p id={id} className="sr-only">
        {sentence}
      </p>
      {below}
      {(figure ?? beside) && (
        <p className="mt-1">
          {figure && (
            // The sentence says the same.
            <span aria-hidden="true">
              <strong className="text-2xl font-semibold">{figure.value}</strong>{' '}
              <span className="text-text-muted">{figure.details}</span>
            </span>
          )}{' '}
          {beside}
        </p>
      )}
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:flex sm:flex-wrap sm:gap-x-8">
        {facts}
      </dl>
      <div className="mt-3 print:hidden">{actions}</div>
    </header>
  );
}

/** A heading of at most three lines; the rest of a longer one is a click away. */
function Heading({ title, children }: { title: string; children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => setIsCut(element.scrollHeight > element.clientHeight + 1);
    // Before the page is drawn: the button would push it down.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [title, isWhole]);
  return (
    <>
      <h1
        ref={ref}
        dir="auto"
        className={`leading-snug wrap-anywhere ${isWhole ? '' : 'line-clamp-3 print:line-clamp-none'}`}
      >
        {children}
      </h1>
      {(isCut || isWhole) && (
        <button
          type="button"
          aria-expanded={isWhole}
          className="min-h-6 text-sm text-accent hover:underline"
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? texts.head.less : texts.head.more}
        </button>
      )}
    </>
  );
}

interface HeadFactProps {
  name: string;
  children: ReactNode;
}

/** A fact under its name. */
export function HeadFact({ name, children }: HeadFactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-text-muted">{name}</dt>
      <dd className="leading-6 wrap-anywhere">{children}</dd>
    </div>
  );
}

interface LateFactProps extends HeadFactProps {
  /** Link beside the name. */
  action?: ReactNode;
}

/** A fact that may arrive later than the others, and be long: its room is the same before and afterwards. */
export function LateFact({ name, action, children }: LateFactProps) {
  return (
    <div className="col-span-2 min-w-0 sm:min-w-80 sm:flex-1">
      <dt className="flex gap-3 text-xs text-text-muted">
        <span>{name}</span>
        {action}
      </dt>
      <dd className="line-clamp-2 h-12 leading-6 wrap-anywhere sm:line-clamp-1 sm:h-6 print:line-clamp-none">
        {children}
      </dd>
    </div>
  );
}
