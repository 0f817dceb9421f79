import { alignOf, colorOf, pixelsOf } from './attributes.ts'
import { button, image, linkCard, logo } from './boxes.ts'
import { columns, repeat, section } from './containers.ts'
import type { Attributes, BlockNode } from './document.ts'
import { inlineHtml, isInline, isSlot } from './inline.ts'
import { type Inner, type Page, type Place, short, textOf, warn } from './page.ts'
import { rawHtml } from './raw-html.ts'
import { when } from './when.ts'

/** `isTight`: the last one leaves no room below it, because what is around it does. */
export function blocksHtml(page: Page, place: Place, nodes: readonly BlockNode[], isTight = false): string {
  const html: string[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]
    if (!node) continue
    let end = at + 1
    if (isInline(node)) while (end < nodes.length && isInlineAt(nodes, end)) end++
    const isLast = isTight && end >= nodes.length
    html.push(
      isInline(node) ? lineHtml(page, place, nodes.slice(at, end), isLast) : blockHtml(page, place, node, isLast),
    )
    at = end - 1
  }
  return html.join('')
}

function isInlineAt(nodes: readonly BlockNode[], at: number): boolean {
  const node = nodes[at]
  return node !== undefined && isInline(node)
}

/** What should stand in a paragraph, but does not. */
function lineHtml(page: Page, place: Place, content: readonly BlockNode[], isLast: boolean): string {
  const line = { type: 'paragraph', attrs: {}, text: '', marks: [], content }
  return written(page, place, line, { tag: 'p', below: isLast ? 0 : 16, style: 'font-size:15px;line-height:24px' })
}

function blockHtml(page: Page, place: Place, node: BlockNode, isLast: boolean): string {
  const inner: Inner = (at, nodes, isTight) => blocksHtml(page, at, nodes, isTight)
  return when(page, place, node.attrs, oneHtml(page, place, node, isLast, inner))
}

function oneHtml(page: Page, place: Place, node: BlockNode, isLast: boolean, inner: Inner): string {
  const { attrs, content } = node
  const below = (room: number) => (isLast ? 0 : room)
  switch (node.type) {
    case 'paragraph':
      return written(page, place, node, { tag: 'p', below: below(16), style: 'font-size:15px;line-height:24px' })
    case 'heading':
      return written(page, place, node, headingStyle(attrs, below(12)))
    case 'footer': {
      const style = 'font-size:13px;line-height:20px;color:#64748b'
      return written(page, place, node, {
        tag: 'p',
        name: place.hasBackground ? '' : 'b-muted',
        below: below(16),
        style,
      })
    }
    case 'bulletList':
    case 'orderedList':
      return list(page, place, node, below(16), inner)
    case 'listItem':
      return list(page, place, { ...node, type: 'bulletList', content: [node] }, below(16), inner)
    case 'blockquote':
      return `<blockquote style="margin:0 0 ${below(16)}px;padding:0 0 0 16px;border-left:4px solid #d1d5db">${inner(place, content, true)}</blockquote>`
    case 'codeBlock':
      return `<pre style="margin:0 0 ${below(16)}px;padding:12px;background:#efefef;color:#111827;font-family:Consolas,Menlo,monospace;font-size:13px;line-height:20px;white-space:pre-wrap">${inlineHtml(page, place, content)}</pre>`
    case 'horizontalRule':
      return '<hr style="margin:24px 0;border:0;border-top:1px solid #d9dde3">'
    case 'spacer':
      return spacer(attrs)
    case 'button':
      return button(page, place, attrs, below(16))
    case 'image':
      return image(page, place, attrs, below(24))
    case 'logo':
      return logo(page, place, attrs, below(24))
    case 'linkCard':
      return linkCard(page, place, attrs, below(16))
    case 'section':
      return section(page, place, node, inner)
    case 'columns':
      return columns(place, node, inner)
    case 'column':
    case 'show':
      return inner(place, content, isLast)
    case 'repeat':
    case 'for':
      return repeat(page, place, node, inner)
    case 'htmlCodeBlock':
      return rawHtml(page, place, content)
    default:
      return unknown(page, place, node, isLast, inner)
  }
}

/** What it holds is sent; what it says only by its own attributes cannot be. */
function unknown(page: Page, place: Place, { type, text, content }: BlockNode, isLast: boolean, inner: Inner): string {
  const what = content.length > 0 || text !== '' ? 'what is inside them is sent' : 'nothing of them is sent'
  warn(page, `blocks of the type "${short(type)}" are not known: ${what}`)
  const line = { type: 'text', attrs: {}, text, marks: [], content: [] }
  return inner(place, text === '' ? content : [line, ...content], isLast)
}

type Look = { tag: string; below: number; style: string; name?: string }

/** A paragraph or heading. With blocks inside, which HTML does not allow there, it is a `div`. */
function written(page: Page, place: Place, { attrs, content }: BlockNode, { tag, below, style, name }: Look): string {
  // The body of a mail brings paragraphs of its own.
  const slots = content.filter((node) => isSlot(page, node))
  if (slots.length > 0 && content.every((node) => slots.includes(node) || isBlank(node))) {
    return inlineHtml(page, place, slots)
  }
  const isLine = content.every(isInline)
  const align = alignOf(attrs.textAlign)
  const styles = [
    `margin:0 0 ${below}px`,
    style,
    ...(align && align !== 'left' ? [`text-align:${align}`] : []),
    ...(attrs.textDirection === 'rtl' ? ['direction:rtl'] : []),
  ]
  const inside = isLine ? inlineHtml(page, place, content) : blocksHtml(page, place, content, true)
  const element = isLine && slots.length === 0 ? tag : 'div'
  return `<${element}${name ? ` class="${name}"` : ''} style="${styles.join(';')}">${inside || '&nbsp;'}</${element}>`
}

function isBlank({ type, text }: BlockNode): boolean {
  return type === 'hardBreak' || (type === 'text' && text.trim() === '')
}

const headings = ['30px;line-height:38px', '24px;line-height:32px', '20px;line-height:28px', '18px;line-height:26px']

function headingStyle({ level }: Attributes, below: number): Look {
  const number = Math.min(Math.max(pixelsOf(level, 6) ?? 1, 1), 6)
  return { tag: `h${number}`, below, style: `font-size:${headings[number - 1] ?? headings[3]};font-weight:700` }
}

function list(page: Page, place: Place, { type, attrs, content }: BlockNode, below: number, inner: Inner): string {
  const tag = type === 'orderedList' ? 'ol' : 'ul'
  const start = tag === 'ol' ? pixelsOf(attrs.start, 1_000_000) : null
  const items = content.map((item) => {
    const color = colorOf(page, item.attrs.color)
    if (color !== null && !place.hasBackground) page.isLightOnly = true
    const style = `margin:0 0 8px;font-size:15px;line-height:24px${color === null ? '' : `;color:${color}`}`
    const nodes = item.type === 'listItem' ? item.content : [item]
    return when(page, place, item.attrs, `<li style="${style}">${inner(place, nodes, true)}</li>`)
  })
  const first = start === null || start === 1 ? '' : ` start="${start}"`
  return `<${tag}${first} style="margin:0 0 ${below}px;padding:0 0 0 24px">${items.join('')}</${tag}>`
}

// Names that older documents use.
const heights: Record<string, number> = { sm: 8, md: 16, lg: 32, xl: 64 }

function spacer({ height }: Attributes): string {
  const pixels = heights[textOf(height)] ?? pixelsOf(height, 400) ?? 8
  return pixels === 0 ? '' : `<div style="height:${pixels}px;line-height:${pixels}px;font-size:1px">&nbsp;</div>`
}
