const BAND = 'M1 8.6C4 7.4 6 7.4 8 8.3s4.5 1.1 7 .1v4.7c-2.5 1-5 .8-7-.1s-4-.9-7 .3Z';
const BURST = 'M1 11c1.8-.7 3.4-.8 4.7-.4L8.9 2l2.3 9.3c1.2.3 2.5.2 3.8-.3';
const CALM = 'M1 11c3-1.2 5-1.2 7-.3s4.5 1.1 7 .1';

interface MarkProps {
  /** Width and height in pixels. */
  size: number;
  /** True if nothing is unusual: the line stays in its band. */
  calm?: boolean;
  className?: string;
}

/** The mark of Tocsin: the band of the expected, and the line that bursts out of it. `public/icon.svg` draws the same. */
export function Mark({ size, calm = false, className = '' }: MarkProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      className={`shrink-0 text-accent ${className}`}
    >
      <path d={BAND} fill="currentColor" opacity="0.3" />
      <path
        d={calm ? CALM : BURST}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
