import type { Attributes } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'

/** A document as it is stored: JSON of which nothing is taken for granted. */
export type Stored = { type: string; content?: unknown; [key: string]: unknown }
export type Values = Record<string, unknown>

/**
 * What a node or mark was stored with besides its type and what is inside it. It is kept whole, so attributes that this
 * editor does not know are there when it is saved.
 */
export type Kept = (Values & { attrs?: unknown }) | null

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isStored = (value: unknown): value is Stored => isObject(value) && typeof value.type === 'string'

/** The document in a body; null when it is none. */
export function readDocument(body: string): Stored | null {
  try {
    const value: unknown = JSON.parse(body)
    return isStored(value) && value.type === 'doc' && Array.isArray(value.content) ? value : null
  } catch {
    return null
  }
}

type HasKept = Pick<Node, 'attrs'>

export function attrsOf({ attrs }: HasKept): Values {
  const kept: unknown = attrs.kept
  return isObject(kept) && isObject(kept.attrs) ? kept.attrs : {}
}

/** As text: numbers, too. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function pixelsFrom(value: unknown): number | null {
  const number = Number.parseFloat(textOf(value))
  return Number.isFinite(number) ? number : null
}

/** The attributes of an editor's node with others. Undefined takes one away. */
export function withAttrs(node: HasKept, changes: Values): { kept: Kept } {
  const attrs = { ...attrsOf(node), ...changes }
  for (const [name, value] of Object.entries(attrs)) if (value === undefined) delete attrs[name]
  const { attrs: _, ...rest }: Values = isObject(node.attrs.kept) ? node.attrs.kept : {}
  const kept = { ...rest, ...(Object.keys(attrs).length > 0 && { attrs }) }
  return { ...node.attrs, kept: Object.keys(kept).length > 0 ? kept : null }
}

export const keptOf = (attrs: Values | null): Kept => (attrs && Object.keys(attrs).length > 0 ? { attrs } : null)

/** The one attribute of every node and mark. `read`: what foreign HTML says by its own means. */
export function keptAttribute(read: (element: HTMLElement) => Values | null = () => null): Attributes {
  return {
    kept: {
      default: null,
      parseHTML: (element) => {
        const own = parsed(element.getAttribute('data-kept'))
        return isObject(own) ? own : keptOf(read(element))
      },
      renderHTML: ({ kept }) => (kept === null ? {} : { 'data-kept': JSON.stringify(kept) }),
    },
  }
}

export function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
