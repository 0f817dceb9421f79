import { Mark, markInputRule, mergeAttributes } from '@tiptap/core'
import type { ParseRule } from '@tiptap/pm/model'
import { colorOf, styleOf } from './looks.ts'
import { attrsOf, keptAttribute, textOf } from './stored.ts'

type Simple = { name: string; tag: string; rules: ParseRule[]; key?: string; find?: RegExp }

const simple = ({ name, tag, rules, key, find }: Simple) =>
  Mark.create({
    name,
    addAttributes: () => keptAttribute(),
    parseHTML: () => [{ tag }, ...rules],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return key ? { [key]: () => this.editor.commands.toggleMark(this.name) } : {}
    },
    addInputRules() {
      return find ? [markInputRule({ find, type: this.type })] : []
    },
  })

const whenStyle = (style: string, fits: RegExp): ParseRule => ({
  style,
  getAttrs: (value: string) => (fits.test(value) ? null : false),
  consuming: false,
})

export const Bold = simple({
  name: 'bold',
  tag: 'strong',
  rules: [
    // Some pages put all they copy into one, which then means nothing.
    { tag: 'b', getAttrs: (element: HTMLElement) => (element.style.fontWeight === 'normal' ? false : null) },
    whenStyle('font-weight', /^(bold(er)?|[6-9]\d\d)$/),
  ],
  key: 'Mod-b',
  find: /(?:^|\s)(\*\*([^*\s][^*]{0,500})\*\*)$/,
})
export const Italic = simple({
  name: 'italic',
  tag: 'em',
  rules: [
    { tag: 'i', getAttrs: (element: HTMLElement) => (element.style.fontStyle === 'normal' ? false : null) },
    whenStyle('font-style', /^italic$/),
  ],
  key: 'Mod-i',
})
export const Underline = simple({
  name: 'underline',
  tag: 'u',
  rules: [whenStyle('text-decoration', /underline/)],
  key: 'Mod-u',
})
export const Strike = simple({
  name: 'strike',
  tag: 's',
  rules: [{ tag: 'del' }, { tag: 'strike' }, whenStyle('text-decoration', /line-through/)],
  key: 'Mod-Shift-s',
})
export const Code = simple({ name: 'code', tag: 'code', rules: [], key: 'Mod-e', find: /(?:^|\s)(`([^`]{1,500})`)$/ })
export const Subscript = simple({ name: 'subscript', tag: 'sub', rules: [] })
export const Superscript = simple({ name: 'superscript', tag: 'sup', rules: [] })

const safe = /^(https?:|mailto:|tel:|sms:)/i

export const Link = Mark.create({
  name: 'link',
  priority: 1_000,
  // What is written after a link does not belong to it.
  inclusive: false,
  addAttributes: () => keptAttribute((element) => ({ href: element.getAttribute('href') ?? '' })),
  parseHTML: () => [
    { tag: 'a[href]', getAttrs: (element) => (safe.test(element.getAttribute('href') ?? '') ? null : false) },
    { tag: 'a[data-kept]' },
  ],
  renderHTML({ mark, HTMLAttributes }) {
    const href = textOf(attrsOf(mark).href)
    return ['a', mergeAttributes(HTMLAttributes, { title: href, ...(safe.test(href) && { href }) }), 0]
  },
})

export const TextStyle = Mark.create({
  name: 'textStyle',
  priority: 900,
  addAttributes: () => keptAttribute((element) => colorFrom(element.style.color)),
  parseHTML: () => [
    { tag: 'span[data-kept]:not([data-inline])' },
    { tag: 'span', getAttrs: (element) => (colorFrom(element.style.color) ? null : false), consuming: false },
  ],
  renderHTML: ({ mark, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, styleOf({ color: colorOf(attrsOf(mark).color) })),
    0,
  ],
})

/** Black is what a page has anyway: taken over, it could not be read on dark ones. */
function colorFrom(color: string): { color: string } | null {
  const known = colorOf(color)
  return known && !/^(inherit|initial|windowtext|black|rgb\(0, ?0, ?0\))$/i.test(known) ? { color: known } : null
}

export const Highlight = Mark.create({
  name: 'highlight',
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'mark' }],
  renderHTML: ({ mark, HTMLAttributes }) => [
    'mark',
    mergeAttributes(HTMLAttributes, styleOf({ background: colorOf(attrsOf(mark).color) })),
    0,
  ],
})
