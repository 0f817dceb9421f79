import type { Node } from '@tiptap/pm/model'
import { attrsOf, textOf, type Values } from './stored.ts'

/** How blocks are drawn while they are written: near to the mail, with what only its author sees beside it. */

const color = /^(#[0-9a-f]{3,8}|[a-z]{3,25}|(rgb|hsl)a?\([\d.,%/ deg]{1,40}\))$/i

/** Null: none that we would write into a style. */
export function colorOf(value: unknown): string | null {
  const text = textOf(value).trim()
  return color.test(text) ? text : null
}

export function pixelsOf(value: unknown, most: number): number | null {
  const number = Number.parseFloat(textOf(value))
  return Number.isFinite(number) && number >= 0 ? Math.min(number, most) : null
}

export function sideOf(value: unknown): string | null {
  return value === 'left' || value === 'center' || value === 'right' || value === 'justify' ? value : null
}

/** `a:b;c:d` of what there is. */
export function styleOf(parts: Record<string, string | number | null | undefined>): { style?: string } {
  const said = Object.entries(parts).filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (said.length === 0) return {}
  return { style: said.map(([name, value]) => `${name}:${typeof value === 'number' ? `${value}px` : value}`).join(';') }
}

/** What every block has: its type, and its condition. */
export function blockAttributes(node: Node, more: Values = {}): Values {
  const condition = textOf(attrsOf(node).showIfKey)
  return { 'data-block': node.type.name, ...(condition && { 'data-show-if': condition }), ...more }
}

export function boxStyle(attrs: Values, name: 'padding' | 'margin'): string | null {
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => pixelsOf(attrs[name + side], 200) ?? 0)
  return sides.some((it) => it > 0) ? sides.map((it) => `${it}px`).join(' ') : null
}

/** As src/core/blocks/attributes.ts guesses it, near enough for a drawing. */
export function isLight(color: string): boolean {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(color)?.[1]
  if (!hex) return !/^(black|dark|navy|maroon|purple|indigo|midnight|blue$|green$|teal|brown|rgb|hsl)/i.test(color)
  const pairs = hex.length < 6 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140
}
