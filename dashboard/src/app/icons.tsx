/** Drawn on 16 × 16, one stroke: as many as the navigation needs. */
const PATHS = {
  bell: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4ZM6.5 13.5h3',
  overview: 'M2 13.5h12M4 11V7M8 11V3M12 11V5.5',
  incidents: 'M8 2 14.5 13.5h-13ZM8 6.5v3M8 11.5v.2',
  events: 'M2 4h12M2 8h12M2 12h8',
  projects: 'M2 4.5 8 2l6 2.5v7L8 14l-6-2.5ZM2 4.5 8 7l6-2.5M8 7v7',
  settings: 'M2 5h7M13 5h1M2 11h1M7 11h7M11 3v4M5 9v4',
  collapse: 'M10 4 6 8l4 4',
  expand: 'M6 4l4 4-4 4',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
