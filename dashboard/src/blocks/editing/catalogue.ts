/** The blocks that can be put in, as they are stored. */
export type BlockItem = { label: string; about: string; words: string; glyph: string; block: object }

const line = (...content: object[]) => ({ type: 'paragraph', ...(content.length > 0 && { content }) })
const heading = (level: number) => ({ type: 'heading', attrs: { level } })
const column = { type: 'column', content: [line()] }
const item = { type: 'listItem', content: [line()] }
const padding = { paddingTop: 16, paddingRight: 16, paddingBottom: 16, paddingLeft: 16 }

export const blockItems: readonly BlockItem[] = [
  { label: 'Text', about: 'A paragraph', words: 'paragraph line', glyph: 'T', block: line() },
  { label: 'Heading 1', about: 'The largest', words: 'h1 title', glyph: 'H1', block: heading(1) },
  { label: 'Heading 2', about: 'Of a part', words: 'h2 title', glyph: 'H2', block: heading(2) },
  { label: 'Heading 3', about: 'Of a smaller part', words: 'h3 title', glyph: 'H3', block: heading(3) },
  {
    label: 'Button',
    about: 'A link that is hard to miss',
    words: 'link call to action cta',
    glyph: '▭',
    block: { type: 'button', attrs: { text: 'Button', url: '', alignment: 'left' } },
  },
  {
    label: 'Image',
    about: 'From an address',
    words: 'picture photo',
    glyph: '▨',
    block: { type: 'image', attrs: { src: '' } },
  },
  {
    label: 'Logo',
    about: 'A small picture, by its height',
    words: 'picture brand',
    glyph: '◈',
    block: { type: 'logo', attrs: { src: '', size: 'md', alignment: 'left' } },
  },
  { label: 'Divider', about: 'A line across', words: 'rule hr line', glyph: '—', block: { type: 'horizontalRule' } },
  { label: 'Spacer', about: 'Room', words: 'gap space', glyph: '↕', block: { type: 'spacer', attrs: { height: 24 } } },
  {
    label: 'Columns',
    about: 'Two beside each other',
    words: 'grid 2 two',
    glyph: '◫',
    block: { type: 'columns', attrs: { gap: 16 }, content: [column, column] },
  },
  {
    label: 'Section',
    about: 'A box around blocks',
    words: 'background frame container',
    glyph: '▢',
    block: { type: 'section', attrs: { backgroundColor: '#f3f4f6', borderRadius: 8, ...padding }, content: [line()] },
  },
  {
    label: 'Bullet list',
    about: 'Points',
    words: 'ul unordered',
    glyph: '•',
    block: { type: 'bulletList', content: [item] },
  },
  {
    label: 'Ordered list',
    about: 'Numbers',
    words: 'ol numbered steps',
    glyph: '1.',
    block: { type: 'orderedList', content: [item] },
  },
  {
    label: 'Quote',
    about: 'Somebody’s words',
    words: 'blockquote cite',
    glyph: '”',
    block: { type: 'blockquote', content: [line()] },
  },
  { label: 'Code', about: 'As it is typed', words: 'pre', glyph: '</>', block: { type: 'codeBlock' } },
  { label: 'Footer', about: 'Small and grey', words: 'address legal', glyph: '▁', block: { type: 'footer' } },
  {
    label: 'Link card',
    about: 'A link in a frame',
    words: 'preview bookmark',
    glyph: '▤',
    block: { type: 'linkCard', attrs: { title: '', description: '', link: '', linkTitle: '' } },
  },
  {
    label: 'Repeat',
    about: 'Once for each item of a list',
    words: 'for each loop items list',
    glyph: '↻',
    block: { type: 'repeat', attrs: { each: '' }, content: [line()] },
  },
  {
    label: 'Show if',
    about: 'Only if a value is there',
    words: 'condition when',
    glyph: '?',
    block: { type: 'show', attrs: { showIfKey: '' }, content: [line()] },
  },
  { label: 'HTML', about: 'Written by hand', words: 'raw source code', glyph: '<>', block: { type: 'htmlCodeBlock' } },
]

/** Where the mail goes in a layout. */
export const slotItem: BlockItem = {
  label: 'Content',
  about: 'Where the mail stands',
  words: 'slot body',
  glyph: '⬚',
  block: line({ type: 'variable', attrs: { id: 'content' } }),
}

/** What fits the words, best first. */
export function findBlocks(items: readonly BlockItem[], query: string): BlockItem[] {
  const wanted = query.trim().toLowerCase()
  const rank = ({ label, words }: BlockItem) => {
    const name = label.toLowerCase()
    if (name.startsWith(wanted)) return 0
    if (name.includes(wanted)) return 1
    return words.split(' ').some((word) => word.startsWith(wanted)) || words.startsWith(wanted) ? 2 : 3
  }
  return items.filter((item) => rank(item) < 3).toSorted((a, b) => rank(a) - rank(b))
}
