import { boxOf, colorOf, isLight, pixelsOf, sideOf } from './attributes.ts'
import type { BlockNode } from './document.ts'
import { isDigestList } from './expressions.ts'
import { table } from './frame.ts'
import { expressionOf, type Inner, type Page, type Place, short, textOf, warn } from './page.ts'

/** Blocks that hold others. */

/** Its colours are its own on light and on dark pages, so those of its text are, too. */
export function section(page: Page, place: Place, { attrs, content }: BlockNode, inner: Inner): string {
  const background = colorOf(page, attrs.backgroundColor)
  const border = pixelsOf(attrs.borderWidth, 20) ?? 0
  const [radius, padding] = [pixelsOf(attrs.borderRadius, 200), boxOf(attrs, 'padding')]
  const look = [
    `padding:${padding ?? '0'}`,
    ...(background === null
      ? []
      : [`background:${background}`, `color:${isLight(background) ? '#1f2937' : '#f9fafb'}`]),
    ...(border > 0 ? [`border:${border}px solid ${colorOf(page, attrs.borderColor) ?? '#e2e2e2'}`] : []),
    ...(radius ? [`border-radius:${radius}px`] : []),
  ]
  const within = background === null ? place : { ...place, hasBackground: true }
  const painted = background === null ? '' : ` bgcolor="${background}"`
  const cell = `<td${painted} align="${sideOf(attrs.align, 'left')}" style="${look.join(';')}">${inner(within, content, true) || '&nbsp;'}</td>`
  const html = `${table}><tr>${cell}</tr></table>`
  const margin = boxOf(attrs, 'margin')
  return margin === null ? html : `${table}><tr><td style="padding:${margin}">${html}</td></tr></table>`
}

/** Beside each other, or on a telephone one below the other. */
export function columns(place: Place, { attrs, content }: BlockNode, inner: Inner): string {
  if (content.length === 0) return ''
  const gap = pixelsOf(attrs.gap, 100) ?? 8
  const widths = widthsOf(content)
  const cells = content.map((node, at) => {
    const half = Math.round(gap / 2)
    const padding = `0 ${at === content.length - 1 ? 0 : half}px 0 ${at === 0 ? 0 : half}px`
    const align = ['top', 'middle', 'bottom'].find((it) => it === node.attrs.verticalAlign) ?? 'top'
    const nodes = node.type === 'column' ? node.content : [node]
    const style = `width:${widths[at]}%;vertical-align:${align};padding:${padding}`
    return `<td class="b-column" width="${widths[at]}%" valign="${align}" style="${style}">${inner(place, nodes, true) || '&nbsp;'}</td>`
  })
  return `${table}><tr>${cells.join('')}</tr></table>`
}

/** In percent: those that say none share what is left. */
function widthsOf(nodes: readonly BlockNode[]): number[] {
  const said = nodes.map(({ type, attrs }) => (type === 'column' ? pixelsOf(attrs.width, 100) : null) || null)
  const used = said.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const open = said.filter((width) => width === null).length
  const share = Math.max(Math.floor((100 - used) / Math.max(open, 1)), 5)
  return said.map((width) => width ?? share)
}

const maxLoopLevels = 4

/** Once for each item of a list, of which `current` is one. */
export function repeat(page: Page, place: Place, { attrs, content }: BlockNode, inner: Inner): string {
  const each = expressionOf(page, place, attrs.each)
  if (!each || place.loops.length >= maxLoopLevels) {
    const why = each ? 'is in too many others' : 'names no list'
    warn(page, `the repeat over "${short(textOf(attrs.each))}" ${why}: it is sent once`, textOf(attrs.each))
    return inner(place, content)
  }
  const number = ++page.loopCount
  const name = `item_${number}`
  const loop = { each: each.path, name, isDigest: isDigestList(each.path) }
  const most = pixelsOf(attrs.iterations, 10_000)
  const html = inner({ ...place, loops: [...place.loops, loop] }, content)
  // A loop has no filters, so a list with some gets a name first.
  const isPlain = !each.source.includes('|')
  const list = isPlain ? each.source : `list_${number}`
  const assigned = isPlain ? '' : `{% assign ${list} = ${each.source} %}`
  return `${assigned}{% for ${name} in ${list}${most ? ` limit: ${most}` : ''} %}${html}{% endfor %}`
}
