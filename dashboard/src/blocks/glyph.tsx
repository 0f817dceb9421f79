/** Drawings of the toolbar; apart from ui/icon.tsx, which every page loads. */
const shapes = {
  bold: 'M4.5 3h4a2.4 2.4 0 0 1 0 4.9h-4zM4.5 7.9h4.7a2.6 2.6 0 0 1 0 5.1H4.5z',
  italic: 'M6.5 3h5M4.5 13h5M9.3 3 6.7 13',
  underline: 'M4.5 2.5v5a3.5 3.5 0 0 0 7 0v-5M3.5 13.5h9',
  strike: 'M11 4.6C10.4 3.6 9.4 3 8 3 6.2 3 5 3.9 5 5.2M2.5 8h11M5 10.6C5.2 12 6.3 13 8.1 13c1.8 0 3-1 3-2.4',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-1 1M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l1-1',
  left: 'M2.5 3.5h11M2.5 6.5h7M2.5 9.5h11M2.5 12.5h7',
  center: 'M2.5 3.5h11M4.5 6.5h7M2.5 9.5h11M4.5 12.5h7',
  right: 'M2.5 3.5h11M6.5 6.5h7M2.5 9.5h11M6.5 12.5h7',
  bullets: 'M6 4h7.5M6 8h7.5M6 12h7.5M3 4v.1M3 8v.1M3 12v.1',
  numbers: 'M6.5 4h7M6.5 8h7M6.5 12h7M2.5 3.2 3.4 2.7v3M2.3 10.6c.300-.700 1.7-.700 1.7.2 0 .700-1.7 1.2-1.7 2.2h1.8',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6',
  redo: 'M10.5 3l3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H10',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
}
export type GlyphName = keyof typeof shapes

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg
      aria-hidden="true"
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
