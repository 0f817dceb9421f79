import { Mark, mergeAttributes, Node } from '@tiptap/core'
import { isStored, parsed } from './stored.ts'

/** What this editor does not know. It shows its name, can be moved and deleted, and is saved as it came. */

const json = {
  json: {
    default: null,
    parseHTML: (element: HTMLElement) => parsed(element.getAttribute('data-json')),
    renderHTML: ({ json }: Record<string, unknown>) => ({ 'data-json': JSON.stringify(json) }),
  },
}

export const nameOf = (json: unknown) => (isStored(json) ? json.type : 'unreadable')

export const OpaqueBlock = Node.create({
  name: 'opaqueBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => json,
  parseHTML: () => [{ tag: 'div[data-block="opaqueBlock"]', priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-block': 'opaqueBlock' }),
    ['strong', {}, nameOf(node.attrs.json)],
    ['small', {}, 'This kind of block is not known here. It is kept as it is.'],
  ],
})

export const OpaqueInline = Node.create({
  name: 'opaqueInline',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => json,
  parseHTML: () => [{ tag: 'span[data-inline="opaqueInline"]', priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-inline': 'opaqueInline' }),
    nameOf(node.attrs.json),
  ],
})

export const OpaqueMark = Mark.create({
  name: 'opaqueMark',
  // Several of them may stand on one text.
  excludes: '',
  addAttributes: () => json,
  parseHTML: () => [{ tag: 'span[data-mark="opaqueMark"]' }],
  renderHTML: ({ HTMLAttributes }) => ['span', mergeAttributes(HTMLAttributes, { 'data-mark': 'opaqueMark' }), 0],
})
