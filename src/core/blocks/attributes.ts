import type { Attributes } from './document.ts'
import { clean, type Page, type Place, short, textOf, textWithVariables, variable, warn } from './page.ts'

/** Values of a document that become part of a style or an address: only what is known to be harmless. */

const color = /^(#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,25}|(rgb|hsl)a?\([\d.,%/ deg]{1,40}\))$/i
const none = new Set(['transparent', 'inherit', 'initial', 'unset', 'none', 'currentcolor'])

/** Null: none, or none that we would write. */
export function colorOf(page: Page, value: unknown): string | null {
  const text = textOf(value).trim()
  if (text === '' || none.has(text.toLowerCase())) return null
  if (color.test(text)) return text
  warn(page, `"${short(text)}" is no colour, and is left out`)
  return null
}

/** As pixels. Null: nothing that is a number. */
export function pixelsOf(value: unknown, most: number): number | null {
  const number = Number.parseFloat(textOf(value))
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number), most) : null
}

export function alignOf(value: unknown): 'left' | 'center' | 'right' | 'justify' | null {
  return value === 'left' || value === 'center' || value === 'right' || value === 'justify' ? value : null
}

/** For tables, which cannot justify. */
export function sideOf(value: unknown, otherwise: 'left' | 'center'): 'left' | 'center' | 'right' {
  return value === 'left' || value === 'center' || value === 'right' ? value : otherwise
}

/** `top right bottom left`, or null when all are nothing. */
export function boxOf(attrs: Attributes, name: 'padding' | 'margin'): string | null {
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => pixelsOf(attrs[name + side], 200) ?? 0)
  return sides.every((it) => it === 0) ? null : sides.map((it) => (it === 0 ? '0' : `${it}px`)).join(' ')
}

/** Whether dark letters are to be read on it. Of colours by name nothing is known: most are light. */
export function isLight(background: string): boolean {
  const parts = numbersOf(background)
  if (!parts) return !/^(black|dark|navy|maroon|purple|indigo|midnight|blue$|green$|teal|brown)/i.test(background)
  const [red = 0, green = 0, blue = 0] = parts
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140
}

function numbersOf(text: string): number[] | null {
  const hex = /^#([0-9a-f]+)$/i.exec(text)?.[1]
  if (hex !== undefined) {
    const pairs = hex.length < 6 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
    return pairs.map((pair) => Number.parseInt(pair, 16))
  }
  if (!/^rgb/i.test(text)) return null
  return (text.match(/[\d.]+%?/g) ?? []).map((it) => (it.endsWith('%') ? Number.parseFloat(it) * 2.55 : Number(it)))
}

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
const imageSchemes = new Set(['http', 'https', 'cid'])
const maxAddress = 2_000

export type AddressOptions = {
  kind: 'link' | 'image'
  /** The whole of it names a variable. */
  isVariable?: unknown
  of: Attributes
}

/** For a quoted attribute; null when there is none, or none that a mail may hold. */
export function addressOf(page: Page, place: Place, value: unknown, options: AddressOptions): string | null {
  const text = clean(textOf(value)).trim()
  if (text === '' || text === '#') return null
  if (options.isVariable === true) {
    // The known editor puts a scheme before the name of a variable.
    return variable(page, place, text.replace(/^https?:\/\//, ''), { aliasFor: options.of.aliasFor })
  }
  if (text.length > maxAddress || !isHarmless(text, options.kind)) {
    warn(page, `"${short(text)}" is no address that a mail may hold, and is left out`)
    return null
  }
  return textWithVariables(page, place, text)
}

/** What a variable stands for is not known here: when the mail is rendered, addresses that run are taken out. */
export function isHarmless(address: string, kind: AddressOptions['kind']): boolean {
  // Readers skip blanks and controls in an address.
  const scheme = /^([^:/?#{\ue000]*):/.exec(address.replace(/[\s\p{Cc}\p{Cf}]+/gu, ''))?.[1]
  return scheme === undefined || (kind === 'link' ? linkSchemes : imageSchemes).has(scheme.toLowerCase())
}
