import { mergeAttributes, Node, wrappingInputRule } from '@tiptap/core'
import type { Node as PmNode } from '@tiptap/pm/model'
import { blockAttributes, boxStyle, colorOf, isLight, pixelsOf, sideOf, styleOf } from './looks.ts'
import { attrsOf, keptAttribute, pixelsFrom, textOf, type Values } from './stored.ts'

/** Blocks that hold others. */

type Container = { name: string; draw(node: PmNode): Values; attributes?: () => ReturnType<typeof keptAttribute> }

const container = ({ name, draw, attributes }: Container) =>
  Node.create({
    name,
    group: 'block',
    content: 'block+',
    defining: true,
    addAttributes: () => (attributes ?? keptAttribute)(),
    parseHTML: () => [{ tag: `div[data-block="${name}"]`, priority: 60 }],
    renderHTML: ({ node, HTMLAttributes }) => [
      'div',
      mergeAttributes(HTMLAttributes, blockAttributes(node, draw(node))),
      0,
    ],
  })

export const Section = container({
  name: 'section',
  draw(node) {
    const attrs = attrsOf(node)
    const border = pixelsOf(attrs.borderWidth, 20)
    const background = colorOf(attrs.backgroundColor)
    return styleOf({
      background,
      color: background && (isLight(background) ? '#1f2937' : '#f9fafb'),
      'text-align': sideOf(attrs.align),
      padding: boxStyle(attrs, 'padding'),
      margin: boxStyle(attrs, 'margin'),
      'border-radius': pixelsOf(attrs.borderRadius, 200),
      border: border ? `${border}px solid ${colorOf(attrs.borderColor) ?? '#e2e2e2'}` : null,
    })
  },
})

/** Older documents call it `for`: that name is kept. */
export const Repeat = container({
  name: 'repeat',
  attributes: () => ({ ...keptAttribute(), as: { default: null, rendered: false } }),
  draw: (node) => ({ 'data-label': `Repeat for each of ${textOf(attrsOf(node).each) || '…'}` }),
})

export const Show = container({
  name: 'show',
  draw: (node) => (attrsOf(node).showIfKey ? {} : { 'data-label': 'Show if …' }),
})

export const Columns = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column+',
  defining: true,
  isolating: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'div[data-block="columns"]', priority: 60 }],
  renderHTML({ node, HTMLAttributes }) {
    const gap = styleOf({ gap: pixelsOf(attrsOf(node).gap, 100) ?? 8 })
    return ['div', mergeAttributes(HTMLAttributes, blockAttributes(node, gap)), 0]
  },
})

export const Column = Node.create({
  name: 'column',
  content: 'block+',
  defining: true,
  isolating: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'div[data-block="column"]', priority: 60 }],
  renderHTML({ node, HTMLAttributes }) {
    const width = pixelsOf(attrsOf(node).width, 100)
    const look = styleOf({ flex: width ? `${width} 1 0` : null })
    return ['div', mergeAttributes(HTMLAttributes, blockAttributes(node, look)), 0]
  },
})

export const Blockquote = Node.create({
  name: 'blockquote',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'blockquote' }],
  renderHTML: ({ node, HTMLAttributes }) => ['blockquote', mergeAttributes(HTMLAttributes, blockAttributes(node)), 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*>\s$/, type: this.type })]
  },
})

export const BulletList = Node.create({
  name: 'bulletList',
  group: 'block list',
  content: 'listItem+',
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'ul' }],
  renderHTML: ({ node, HTMLAttributes }) => ['ul', mergeAttributes(HTMLAttributes, blockAttributes(node)), 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*[-+*]\s$/, type: this.type })]
  },
})

export const OrderedList = Node.create({
  name: 'orderedList',
  group: 'block list',
  content: 'listItem+',
  addAttributes: () =>
    keptAttribute((element) => {
      const start = Number(element.getAttribute('start') ?? 1)
      return start > 1 ? { start } : null
    }),
  parseHTML: () => [{ tag: 'ol' }],
  renderHTML({ node, HTMLAttributes }) {
    const start = pixelsFrom(attrsOf(node).start)
    return ['ol', mergeAttributes(HTMLAttributes, blockAttributes(node, start ? { start } : {})), 0]
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^1\.\s$/, type: this.type })]
  },
})

export const ListItem = Node.create({
  name: 'listItem',
  content: 'block+',
  defining: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'li' }],
  renderHTML({ node, HTMLAttributes }) {
    return [
      'li',
      mergeAttributes(HTMLAttributes, blockAttributes(node, styleOf({ color: colorOf(attrsOf(node).color) }))),
      0,
    ]
  },
  addKeyboardShortcuts() {
    // Each time anew: commands belong to the state they were asked for in.
    return {
      Enter: () => this.editor.commands.splitListItem(this.name),
      Tab: () => this.editor.commands.sinkListItem(this.name),
      'Shift-Tab': () => this.editor.commands.liftListItem(this.name),
    }
  },
})
