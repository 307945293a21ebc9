/** Paths on a grid of 16 × 16, in one stroke. */
const PATHS = {
  bell: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4ZM6.5 13.5h3',
  overview: 'M2 13.5h12M4 11V7M8 11V3M12 11V5.5',
  incidents: 'M8 2 14.5 13.5h-13ZM8 6.5v3M8 11.5v.2',
  events: 'M2 4h12M2 8h12M2 12h8',
  groups: 'M2 5.5h8v8H2ZM4.5 5.5v-3h9v8h-3.5',
  releases: 'M3 14V2M3 3h9l-2 3 2 3H3',
  alerts: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4ZM6.5 13.5h3M1.5 4.5 3 2.5M14.5 4.5 13 2.5',
  projects: 'M2 4.5 8 2l6 2.5v7L8 14l-6-2.5ZM2 4.5 8 7l6-2.5M8 7v7',
  settings: 'M2 5h7M13 5h1M2 11h1M7 11h7M11 3v4M5 9v4',
  collapse: 'M10 4 6 8l4 4',
  expand: 'M6 4l4 4-4 4',
  chevron: 'M4 6.5 8 10l4-3.5',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5 14 14',
  user: 'M8 2.5a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5ZM2.5 14c.6-3 2.7-4.2 5.5-4.2s4.9 1.2 5.5 4.2',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  edit: 'M3 13l.6-2.8L11 2.8 13.2 5 5.8 12.4ZM9.5 4.3l2.2 2.2',
  link: 'M6.5 9.5l3-3M7.5 4.5l1-1a2.83 2.83 0 0 1 4 4l-1 1M8.5 11.5l-1 1a2.83 2.83 0 0 1-4-4l1-1',
  plus: 'M8 3v10M3 8h10',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9',
  mute: 'M6.5 3A4 4 0 0 1 12 6v3l1.5 2.5H6M4 7v2l-1.5 2.5M2 2l12 12M6.5 13.5h3',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6.5 3.5h-4v10h10v-4',
  calendar: 'M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 2v3M10.5 2v3',
  stack: 'M8 2 14 5 8 8 2 5ZM2 8l6 3 6-3M2 11l6 3 6-3',
  terminal: 'M2 3h12v10H2ZM4.5 6l2 2-2 2M8 10.5h3.5',
  keyboard: 'M1.5 4h13v8h-13ZM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8.4 7.6 2.5 13.5M4.5 11.5l1.5 1.5',
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
