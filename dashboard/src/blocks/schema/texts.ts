import { InputRule, mergeAttributes, Node, textblockTypeInputRule } from '@tiptap/core'
import type { Node as PmNode } from '@tiptap/pm/model'
import { blockAttributes, sideOf, styleOf } from './looks.ts'
import { attrsOf, keptAttribute, keptOf, pixelsFrom, type Values } from './stored.ts'

/** Blocks of one text. */

export const Doc = Node.create({ name: 'doc', topNode: true, content: 'block+', addAttributes: () => keptAttribute() })
export const Text = Node.create({ name: 'text', group: 'inline' })

function lineAttributes(node: PmNode): Values {
  const { textAlign, textDirection } = attrsOf(node)
  return blockAttributes(node, {
    ...styleOf({ 'text-align': sideOf(textAlign) }),
    ...(textDirection === 'rtl' && { dir: 'rtl' }),
  })
}

/** What foreign HTML says about its lines. */
function readLine(element: HTMLElement): Values {
  const align = sideOf(element.style.textAlign || element.getAttribute('align'))
  return {
    ...(align && align !== 'left' && { textAlign: align }),
    ...(element.dir === 'rtl' && { textDirection: 'rtl' }),
  }
}

export const Paragraph = Node.create({
  name: 'paragraph',
  // First among the blocks: it is what an empty place is filled with.
  priority: 1_000,
  group: 'block',
  content: 'inline*',
  addAttributes: () => keptAttribute(readLine),
  parseHTML: () => [{ tag: 'p' }],
  renderHTML: ({ node, HTMLAttributes }) => ['p', mergeAttributes(HTMLAttributes, lineAttributes(node)), 0],
})

export const levelOf = (node: PmNode) => Math.min(Math.max(Math.round(pixelsFrom(attrsOf(node).level) ?? 1), 1), 6)

export const Heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => keptAttribute((element) => ({ level: Number(element.tagName.slice(1)), ...readLine(element) })),
  parseHTML: () => [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}` })),
  renderHTML: ({ node, HTMLAttributes }) => [
    `h${levelOf(node)}`,
    mergeAttributes(HTMLAttributes, lineAttributes(node)),
    0,
  ],
  addInputRules() {
    return [1, 2, 3].map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^(#{${level}})\\s$`),
        type: this.type,
        getAttributes: () => ({ kept: keptOf({ level }) }),
      }),
    )
  },
})

export const Footer = Node.create({
  name: 'footer',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => keptAttribute(readLine),
  parseHTML: () => [{ tag: 'p[data-block="footer"]', priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => ['p', mergeAttributes(HTMLAttributes, lineAttributes(node)), 0],
})

export const CodeBlock = Node.create({
  name: 'codeBlock',
  group: 'block',
  content: 'inline*',
  code: true,
  defining: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
  renderHTML: ({ node, HTMLAttributes }) => ['pre', mergeAttributes(HTMLAttributes, blockAttributes(node)), 0],
  addInputRules() {
    return [textblockTypeInputRule({ find: /^```\s$/, type: this.type })]
  },
})

export const HtmlCodeBlock = Node.create({
  name: 'htmlCodeBlock',
  group: 'block',
  content: 'inline*',
  code: true,
  defining: true,
  isolating: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'pre[data-block="htmlCodeBlock"]', preserveWhitespace: 'full', priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'pre',
    mergeAttributes(HTMLAttributes, blockAttributes(node, { 'data-label': 'HTML' })),
    0,
  ],
})

export const HardBreak = Node.create({
  name: 'hardBreak',
  group: 'inline',
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'br' }],
  renderHTML: ({ HTMLAttributes }) => ['br', HTMLAttributes],
  renderText: () => '\n',
  addKeyboardShortcuts() {
    const breakLine = () =>
      this.editor.commands.first(({ commands }) => [
        () => commands.exitCode(),
        () => commands.insertContent({ type: this.name }),
      ])
    return { 'Shift-Enter': breakLine }
  },
})

/** A path that is written to its end, braces and all, becomes a variable. */
export const writtenVariable = /\{\{\s*([\p{L}_][\p{L}\p{N}_.[\]-]{0,200})\s*\}\}$/u

export const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => keptAttribute((element) => ({ id: element.textContent ?? '' })),
  parseHTML: () => [{ tag: 'span[data-inline="variable"]', priority: 60 }],
  renderHTML({ node, HTMLAttributes }) {
    const { id, fallback } = attrsOf(node)
    const hint = fallback ? `${id}, or "${fallback}"` : String(id ?? '')
    return [
      'span',
      mergeAttributes(HTMLAttributes, { 'data-inline': 'variable', title: hint }),
      String(id || 'variable'),
    ]
  },
  renderText: ({ node }) => `{{${attrsOf(node).id ?? ''}}}`,
  addInputRules() {
    const { type } = this
    return [
      new InputRule({
        find: writtenVariable,
        handler: ({ state, range, match }) => {
          state.tr.replaceWith(range.from, range.to, type.create({ kept: keptOf({ id: match[1] ?? '' }) }))
        },
      }),
    ]
  },
})

export const InlineImage = Node.create({
  name: 'inlineImage',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => keptAttribute(),
  parseHTML: () => [{ tag: 'span[data-inline="inlineImage"]', priority: 60 }],
  renderHTML({ node, HTMLAttributes }) {
    const { alt, src } = attrsOf(node)
    return ['span', mergeAttributes(HTMLAttributes, { 'data-inline': 'inlineImage' }), String(alt || src || 'image')]
  },
})
