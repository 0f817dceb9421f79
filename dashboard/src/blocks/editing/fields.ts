/** What can be set about each type of block, beside the editor. */
export type FieldSpec = {
  name: string
  label: string
  kind: 'template' | 'path' | 'list' | 'number' | 'color' | 'choice' | 'sides'
  /** Of a choice. The first stands for "not said". */
  options?: readonly (readonly [value: string, label: string])[]
  /** The attribute that says: the whole of this one is the name of a variable. */
  flag?: string
  hint?: string
  unit?: string
  placeholder?: string
}

const sides = [
  ['', 'as usual'],
  ['left', 'left'],
  ['center', 'centre'],
  ['right', 'right'],
] as const
const align = (name: string): FieldSpec => ({ name, label: 'Alignment', kind: 'choice', options: sides })
const number = (name: string, label: string, unit = 'px'): FieldSpec => ({ name, label, kind: 'number', unit })
const color = (name: string, label: string): FieldSpec => ({ name, label, kind: 'color' })
const template = (name: string, label: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  kind: 'template',
  ...more,
})
const address = { placeholder: 'https://…' }
const box = (name: 'padding' | 'margin', label: string): FieldSpec => ({ name, label, kind: 'sides', unit: 'px' })
const lineFields = [align('textAlign')]

const pictureFields = [
  template('src', 'Address of the image', { flag: 'isSrcVariable', ...address }),
  template('alt', 'What it shows', { hint: 'Read out, and shown where images are not.' }),
  align('alignment'),
  template('externalLink', 'A click leads to', { flag: 'isExternalLinkVariable', ...address }),
]

const fields: Record<string, readonly FieldSpec[]> = {
  paragraph: lineFields,
  footer: lineFields,
  heading: [
    {
      name: 'level',
      label: 'Level',
      kind: 'choice',
      options: [1, 2, 3, 4, 5, 6].map((level) => [String(level), String(level)] as const),
    },
    ...lineFields,
  ],
  button: [
    template('text', 'Text', { flag: 'isTextVariable' }),
    template('url', 'Leads to', { flag: 'isUrlVariable', ...address }),
    align('alignment'),
    {
      name: 'variant',
      label: 'Style',
      kind: 'choice',
      options: [
        ['', 'filled'],
        ['outline', 'outline'],
      ],
    },
    {
      name: 'borderRadius',
      label: 'Corners',
      kind: 'choice',
      options: [
        ['', 'as usual'],
        ['sharp', 'sharp'],
        ['smooth', 'smooth'],
        ['round', 'round'],
      ],
    },
    {
      name: 'width',
      label: 'Width',
      kind: 'choice',
      options: [
        ['', 'as its text'],
        ['100%', 'the whole line'],
      ],
    },
    color('buttonColor', 'Colour'),
    color('textColor', 'Colour of the text'),
    box('padding', 'Padding'),
  ],
  image: [...pictureFields, number('width', 'Width'), number('borderRadius', 'Corners')],
  logo: [
    ...pictureFields,
    {
      name: 'size',
      label: 'Height',
      kind: 'choice',
      options: [
        ['', 'as usual'],
        ['sm', 'small'],
        ['md', 'medium'],
        ['lg', 'large'],
      ],
    },
  ],
  inlineImage: [
    template('src', 'Address of the image', { flag: 'isSrcVariable', ...address }),
    template('alt', 'What it shows'),
    number('width', 'Width'),
    number('height', 'Height'),
    template('externalLink', 'A click leads to', { flag: 'isExternalLinkVariable', ...address }),
  ],
  spacer: [number('height', 'Height')],
  linkCard: [
    template('title', 'Title'),
    template('description', 'Description'),
    template('link', 'Leads to', address),
    template('linkTitle', 'Text of the link'),
    template('image', 'Address of an image', address),
    template('badgeText', 'Badge'),
    template('subTitle', 'Beside the title'),
  ],
  section: [
    color('backgroundColor', 'Background'),
    align('align'),
    box('padding', 'Padding'),
    box('margin', 'Margin'),
    number('borderRadius', 'Corners'),
    number('borderWidth', 'Border'),
    color('borderColor', 'Colour of the border'),
  ],
  columns: [number('gap', 'Gap')],
  column: [
    number('width', 'Width', '%'),
    {
      name: 'verticalAlign',
      label: 'Stands',
      kind: 'choice',
      options: [
        ['', 'at the top'],
        ['middle', 'in the middle'],
        ['bottom', 'at the bottom'],
      ],
    },
  ],
  orderedList: [number('start', 'First number', '')],
  listItem: [color('color', 'Colour of the text')],
  repeat: [
    {
      name: 'each',
      label: 'For each of',
      kind: 'list',
      hint: 'A list. Inside, current is the item.',
      placeholder: 'payload.items',
    },
    { ...number('iterations', 'At most', 'items'), hint: 'Nothing or 0: all of them.' },
  ],
  variable: [
    { name: 'id', label: 'Variable', kind: 'path', hint: 'Filters may follow: payload.total | round: 2' },
    { name: 'fallback', label: 'If it is empty', kind: 'template', placeholder: 'nothing' },
  ],
}

// These stand only with what is around them.
const unconditional = new Set(['column', 'hardBreak', 'opaqueBlock', 'opaqueInline', 'doc', 'text'])

export function fieldsOf(type: string): readonly FieldSpec[] {
  const own = fields[type] ?? []
  if (unconditional.has(type)) return own
  const hint = 'Sent only if this is there, and not empty, 0 or false.'
  return [...own, { name: 'showIfKey', label: 'Show if', kind: 'path', hint, placeholder: 'always' }]
}

const names: Record<string, string> = {
  paragraph: 'Text',
  heading: 'Heading',
  footer: 'Footer',
  button: 'Button',
  image: 'Image',
  logo: 'Logo',
  inlineImage: 'Small image',
  horizontalRule: 'Divider',
  spacer: 'Spacer',
  columns: 'Columns',
  column: 'Column',
  section: 'Section',
  bulletList: 'Bullet list',
  orderedList: 'Ordered list',
  listItem: 'Item',
  blockquote: 'Quote',
  codeBlock: 'Code',
  htmlCodeBlock: 'HTML',
  linkCard: 'Link card',
  repeat: 'Repeat',
  show: 'Show if',
  variable: 'Variable',
}

export const blockName = (type: string) => names[type] ?? type
