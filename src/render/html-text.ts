import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { simpleText } from './simple-text.ts'

/**
 * The plain part of an e-mail, from its HTML. It must be the same at every attempt, so the library's work is bounded by
 * counts, not by time. Beyond the bounds, and where the library fails, the simple text is used. Not for the main
 * thread: it may take 100 ms.
 */
export function htmlText(html: string): string {
  if (!isWithinBounds(html)) return simpleText(html)
  try {
    return tidy(convert(html))
  } catch {
    return simpleText(html)
  }
}

// The library takes up to 9 µs a tag, and runs out of stack at some thousand levels: docs/decisions/0019.
const maxChars = 512 * 1024
const maxTags = 10_000
const maxDepth = 200

export function isWithinBounds(html: string): boolean {
  return html.length <= maxChars && !hasMoreTags(html, maxTags) && !isDeeper(html, maxDepth)
}

/** Counts every `<`: each tag and comment begins with one. */
function hasMoreTags(html: string, most: number): boolean {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0 && count <= most; at = html.indexOf('<', at + 1)) count++
  return count > most
}

/** Uses the library's own parser, so that no notation hides a level, and stops at the first one too many. */
function isDeeper(html: string, most: number): boolean {
  let depth = 0
  const parser = new Parser({
    onopentagname() {
      depth++
      if (depth > most) parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(html)
  return depth > most
}

const block = (names: string[], leadingLineBreaks: number, trailingLineBreaks: number) =>
  names.map((selector) => ({ selector, format: 'block', options: { leadingLineBreaks, trailingLineBreaks } }))
const all = (names: string[], format: string) => names.map((selector) => ({ selector, format }))

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const lines = ['p', 'div', 'center', 'tr', 'caption', 'ul', 'ol', 'dl', 'dt', 'dd', 'address', 'figure', 'figcaption']
const hidden = ['head', 'title', 'template', 'svg']

/** A blank on both sides; the library joins the two between neighbours into one. */
const cell: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
  builder.addInline(' ')
}

/** Not indented, unlike the library's lists: nested lists would multiply the text. */
const item: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  const mark = markOf(element.parent)
  builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => text && `${mark} ${text}` })
}

const counts = new WeakMap<DomNode, number>()

function markOf(list: DomNode | undefined): string {
  if (list?.name !== 'ol') return '-'
  const count = (counts.get(list) ?? (Number.parseInt(list.attribs.start, 10) || 1) - 1) + 1
  counts.set(list, count)
  return `${count}.`
}

/** The library's own link format keeps the words of all enclosing links: nested links would take ever longer. */
const link: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder)
  const address = String(element.attribs.href ?? '').replace(/^mailto:/i, '')
  if (address === '' || address.startsWith('#') || hasOnlyText(element, address)) return
  builder.addInline(` (${address})`)
}

/** Of blocks: `Pay now: https://…`. */
const button: FormatCallback = (element, walk, builder) => {
  const address = String(element.attribs.href ?? '').replace(/^mailto:/i, '')
  walk(element.children, builder)
  if (address !== '' && !hasOnlyText(element, address)) builder.addInline(`: ${address}`)
}

function hasOnlyText({ children: [child, ...others] }: DomNode, text: string): boolean {
  return others.length === 0 && child?.type === 'text' && child.data?.trim() === text
}

const image: FormatCallback = (element, _walk, builder) => {
  builder.addInline(element.attribs.alt ?? '')
}

const convert = compile({
  wordwrap: false,
  // The whole document: text after </body> is shown too.
  baseElements: { selectors: [] },
  whitespaceCharacters: ' \t\r\n\f\u200b\u00a0',
  formatters: { cell, item, link, button, image },
  selectors: [
    ...block(lines, 1, 1),
    ...block(headings, 2, 1),
    ...block(['table', 'blockquote'], 2, 2),
    { selector: 'pre', format: 'pre', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'hr', format: 'horizontalLine', options: { length: 20, leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ...all(['td', 'th'], 'cell'),
    ...all(['li'], 'item'),
    ...all(['a'], 'link'),
    ...all(['a.b-button'], 'button'),
    ...all(['img'], 'image'),
    ...all(hidden, 'skip'),
  ],
})

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
