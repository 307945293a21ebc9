interface MarkProps {
  /** Width and height in pixels. */
  size: number;
  className?: string;
}

/** The mark of Tocsin: an alarm bell that swings. `public/icon.svg` and `index.html` draw the same. */
export function Mark({ size, className = '' }: MarkProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 text-accent ${className}`}
    >
      <g transform="rotate(14 8.6 8)">
        <path
          d="M8 3c2.3 0 3.3 1.6 3.3 3.9 0 2.6.7 3.6 1.7 4.6H3c1-1 1.7-2 1.7-4.6C4.7 4.6 5.7 3 8 3Z"
          fill="currentColor"
          fillOpacity=".3"
        />
        <path d="M5.8 1.2h4.4M8 1.2V3M6.6 13.7h2.8" />
      </g>
    </svg>
  );
}
