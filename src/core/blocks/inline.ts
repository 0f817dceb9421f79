import { addressOf, colorOf, pixelsOf } from './attributes.ts'
import type { Attributes, BlockNode, Mark } from './document.ts'
import { linkColor } from './frame.ts'
import { type Page, type Place, short, slot, textOf, textWithVariables, variable, warn } from './page.ts'
import { when } from './when.ts'

/** What stands in a line: texts with their marks, variables, breaks and small images. */
const inlineTypes = new Set(['text', 'variable', 'payloadValue', 'hardBreak', 'inlineImage'])

export function isInline({ type }: BlockNode): boolean {
  return inlineTypes.has(type)
}

/** Where the body goes in a layout. */
export function isSlot({ slots }: Page, { type, attrs }: BlockNode): boolean {
  return (
    slots !== undefined && type === 'variable' && /^\s*(?:content|\{\{\s*content\s*\}\})\s*$/.test(textOf(attrs.id))
  )
}

/** Neighbours with the same link are one link, else the text part would say its address after each of them. */
export function inlineHtml(page: Page, place: Place, nodes: readonly BlockNode[]): string {
  let html = ''
  let open: { key: string; link: Mark | null; inner: string } = { key: '', link: null, inner: '' }
  const close = () => {
    html += open.link ? linkHtml(page, place, open.link, open.inner) : open.inner
  }
  for (const node of nodes) {
    const link = isSlot(page, node) ? null : (node.marks.find(({ type }) => type === 'link') ?? null)
    const key = link ? JSON.stringify([link.attrs.href, link.attrs.isUrlVariable, link.attrs.aliasFor]) : ''
    if (key !== open.key) {
      close()
      open = { key, link, inner: '' }
    }
    open.inner += nodeHtml(page, place, node)
  }
  close()
  return html
}

function nodeHtml(page: Page, place: Place, node: BlockNode): string {
  const { attrs, text } = node
  if (isSlot(page, node)) return when(page, place, attrs, slot(page, place))
  switch (node.type) {
    case 'text':
      return marked(page, place, node, textWithVariables(page, place, text))
    case 'variable':
      return when(page, place, attrs, marked(page, place, node, variable(page, place, attrs.id, attrs)))
    // What an old kind of document calls the item of a list.
    case 'payloadValue':
      return marked(page, place, node, variable(page, place, attrs.id || 'current', attrs))
    case 'hardBreak':
      return '<br>'
    case 'inlineImage':
      return when(page, place, attrs, smallImage(page, place, attrs))
    default:
      return ''
  }
}

function smallImage(page: Page, place: Place, attrs: Attributes): string {
  const src = addressOf(page, place, attrs.src, { kind: 'image', isVariable: attrs.isSrcVariable, of: attrs })
  if (src === null) return ''
  const [width, height] = [pixelsOf(attrs.width, 600) || 20, pixelsOf(attrs.height, 600) || 20]
  const alt = textWithVariables(page, place, typeof attrs.alt === 'string' ? attrs.alt : '')
  const style = `display:inline;vertical-align:middle;border:0;width:${width}px;height:${height}px`
  const image = `<img src="${src}" alt="${alt}" width="${width}" height="${height}" style="${style}">`
  const options = { kind: 'link', isVariable: attrs.isExternalLinkVariable, of: attrs } as const
  const href = addressOf(page, place, attrs.externalLink, options)
  return href === null ? image : `<a href="${href}" target="_blank">${image}</a>`
}

/** The link itself is put around several nodes. */
function marked(page: Page, place: Place, { marks }: BlockNode, html: string): string {
  let out = html
  for (const type of new Set(marks.map((mark) => mark.type))) {
    if (!Object.hasOwn(elements, type) && type !== 'link' && type !== 'textStyle' && type !== 'highlight') {
      warn(page, `marks of the type "${short(type)}" are not known: their text is sent without them`)
    }
  }
  const styles = marks.flatMap(({ type, attrs }) => stylesOf(page, place, type, attrs))
  if (styles.length > 0) out = `<span style="${styles.join(';')}">${out}</span>`
  for (const [type, [begin, end]] of Object.entries(elements)) {
    if (marks.some((mark) => mark.type === type)) out = begin + out + end
  }
  return out
}

const codeStyle =
  'background:#efefef;color:#111827;padding:2px 4px;border-radius:4px;font-family:Consolas,Menlo,monospace'
/** From the inside to the outside. */
const elements: Record<string, readonly [string, string]> = {
  code: [`<code style="${codeStyle}">`, '</code>'],
  subscript: ['<sub>', '</sub>'],
  superscript: ['<sup>', '</sup>'],
  strike: ['<s>', '</s>'],
  underline: ['<u>', '</u>'],
  italic: ['<em>', '</em>'],
  bold: ['<strong>', '</strong>'],
}

function stylesOf(page: Page, place: Place, type: string, attrs: Attributes): string[] {
  const color = type === 'textStyle' || type === 'highlight' ? colorOf(page, attrs.color) : null
  if (type === 'highlight') return [`background:${color ?? '#fff3a3'};color:#111827`]
  if (color === null) return []
  if (!place.hasBackground) page.isLightOnly = true
  return [`color:${color}`]
}

function linkHtml(page: Page, place: Place, { attrs }: Mark, inner: string): string {
  const href = addressOf(page, place, attrs.href, { kind: 'link', isVariable: attrs.isUrlVariable, of: attrs })
  if (href === null) return inner
  const name = place.hasBackground ? '' : ' class="b-link"'
  return `<a${name} href="${href}" target="_blank" style="color:${linkColor}">${inner}</a>`
}
