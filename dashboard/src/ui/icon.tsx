/** Our own small set: 16 px, one stroke. */
const shapes = {
  overview: 'M2.5 9.5h3l2-6 2.5 9 2-5h1.5',
  activity: 'M3 4h10M3 8h10M3 12h6',
  explain: 'M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.3M8 11.6v.1M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z',
  workflow: 'M3.5 2.5h4v3h-4zM8.5 10.5h4v3h-4zM5.5 5.5v4.5a2 2 0 0 0 2 2h1',
  layout: 'M2.5 2.5h11v11h-11zM2.5 6h11M5 8.5h6M5 11h4',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c1.8 1.7 2.6 3.7 2.6 6S9.8 12.3 8 14M8 2C6.2 3.7 5.4 5.7 5.4 8s.8 4.3 2.6 6',
  mail: 'M2 4h12v8.5H2zM2.3 4.3 8 9l5.7-4.7',
  people:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6ZM2 13c.3-2.2 1.9-3.5 4-3.5S9.7 10.8 10 13M10.5 3.3a2.1 2.1 0 0 1 0 4M11.7 9.8c1.3.5 2.1 1.6 2.3 3.2',
  topic: 'M6.5 2.5 5 13.5M11 2.5 9.5 13.5M2.8 5.8h10.7M2.5 10.2h10.7',
  plug: 'M6 2v3M10 2v3M4.5 5h7v2.5a3.5 3.5 0 0 1-7 0zM8 11v3',
  dead: 'M2.5 5.5 8 2l5.5 3.5v5L8 14l-5.5-3.5zM8 5.5v3M8 10.5v.1',
  block: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4',
  hook: 'M2.5 7.6 13.5 2.8 10.6 13.2 7.4 9.1zM13.5 2.8 7.4 9.1',
  layers: 'M8 2.2 14 5.3 8 8.4 2 5.3zM2.4 8.2 8 11l5.6-2.8M2.4 11 8 13.8 13.6 11',
  lock: 'M3.8 7h8.4v6.5H3.8zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  updown: 'M5 6.2 8 3.2l3 3M5 9.8l3 3 3-3',
  key: 'M10.5 8.5a3 3 0 1 0-2.8-2L2.5 11.7V13.5h2v-1.5h1.5v-1.5l1.7-1.7a3 3 0 0 0 2.8-.3ZM11 5v.1',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 14 14',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z',
  screen: 'M2 3h12v8H2zM6 14h4M8 11v3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5 6.5 12 13 4.5',
  download: 'M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2M2.5 13.5h11',
  upload: 'M8 11V3M4.8 6 8 2.8 11.2 6M2.5 13.5h11',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  plus: 'M8 3v10M3 8h10',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  warn: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5v.1',
  out: 'M6.5 13.5h-4v-11h4M10 11l3-3-3-3M13 8H6.5',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4',
  edit: 'M3 13l.6-2.8L10.5 3.3l2.2 2.2-6.9 6.9zM9.2 4.6l2.2 2.2',
  drag: 'M6 3.5v.1M10 3.5v.1M6 8v.1M10 8v.1M6 12.5v.1M10 12.5v.1',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  refresh: 'M13.5 3v3.5H10M13.2 6.5a5.5 5.5 0 1 0 .2 2.8',
  play: 'M5 3l8 5-8 5z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3zM6.8 14h2.4',
  phone: 'M4.5 1.5h7v13h-7zM7.5 12.3h1',
  chat: 'M2 3h12v8H7l-3 2.5V11H2z',
  push: 'M3 3h10v10H3zM8 6v4M6 8h4',
  digest: 'M3 3.5h10M3 6.5h10M8 8.8v4.7M5.8 11.3 8 13.5l2.2-2.2',
  throttle: 'M2.5 12a5.5 5.5 0 1 1 11 0M8 12l2.4-3.8',
  braces:
    'M6 2.5c-1.6 0-2 .8-2 2v1.7c0 1-.5 1.8-1.5 1.8C3.5 8 4 8.8 4 9.8v1.7c0 1.2.4 2 2 2M10 2.5c1.6 0 2 .8 2 2v1.7c0 1 .5 1.8 1.5 1.8-1 0-1.5.8-1.5 1.8v1.7c0 1.2-.4 2-2 2',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  hidden:
    'M6.2 4.1A6 6 0 0 1 8 3.8c4 0 6.5 4.2 6.5 4.2a11 11 0 0 1-1.7 2.1M4.3 5A11 11 0 0 0 1.5 8S4 12.2 8 12.2a6 6 0 0 0 3.4-1.1M2.5 2.5l11 11M6.8 6.9a1.8 1.8 0 0 0 2.4 2.4',
  person: 'M8 7.8a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM3 13.8c.3-2.6 2.2-4 5-4s4.7 1.4 5 4',
  building: 'M3 14V3.5L9 2v12M9 6l4 1.2V14M2 14h12M5.3 5.5h1.4M5.3 8h1.4M5.3 10.5h1.4',
  record: 'M3.5 2h7l2.5 2.5V14h-9.5zM6 6.5h4.5M6 9h4.5M6 11.5h3',
  send: 'M2.5 6.5v3h2.5l6 3.5V3L5 6.5zM13 6.2v3.6',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
}
export type IconName = keyof typeof shapes

export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className ?? ''}`}
    >
      <path d={shapes[name]} />
    </svg>
  )
}
