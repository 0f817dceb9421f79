import { blank, equals, greater, skipUntil, skipWhile, slash } from './html-marks.ts'
import { runs } from './runs.ts'

/**
 * HTML without what would run: script elements, event handlers, addresses that are scripts or documents of their own.
 *
 * Readers disagree about where a comment, a style or a title ends (SVG, `noscript`, old clients). So no context is
 * trusted: whatever stands after a `<` and a letter is a tag that was cleaned, everywhere, and no attribute keeps a `<`.
 * A tag reads the same in every context, so no reader finds another one. Contexts are only followed for the sake of
 * what is in them. One pass, so that no input is slow.
 */
export function stripScripts(html: string): string {
  return clean(html, false)
}

const opening = /<(?:!--|\/?[a-zA-Z])/g
const endOfComment = /--!?>/g
const abruptEnd = /-?>/y
const tagLike = /<(?=[a-zA-Z])/g

/** `isInside` a comment or an element whose content is no markup: there, comments and such elements do not nest. */
function clean(html: string, isInside: boolean): string {
  let kept = ''
  let from = 0
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const found = opening.exec(html)
    if (!found) return kept + html.slice(from)
    const start = found.index
    if (found[0] === '<!--') {
      at = start + 4
      if (isInside) continue
      const end = commentEnd(html, at)
      const inside = html.slice(at, end)
      const cleaned = clean(inside, true)
      if (cleaned !== inside) {
        kept += html.slice(from, at) + cleaned
        from = end
      }
      at = end
      continue
    }
    const tag = readTag(html, start)
    at = tag.end
    if (tag.text !== undefined) {
      kept += html.slice(from, start) + tag.text
      from = at
    }
    const content = tag.text === '' || isInside ? undefined : contents.get(tag.name)
    if (tag.isScript) at = from = afterScript(html, at)
    else if (content) {
      at = contentEnd(html, tag.name, tag.end)
      kept += html.slice(from, tag.end) + content(html.slice(tag.end, at))
      from = at
    }
  }
}

/** Elements whose content is no markup, and how a tag in it is written instead. */
const contents = new Map<string, (content: string) => string>([
  ['style', (css) => css.replace(tagLike, '\\3c ')],
  // Only data gets here.
  ['script', (json) => json.replace(tagLike, '\\u003c')],
  ['title', (text) => text.replace(tagLike, '&lt;')],
  ['textarea', (text) => text.replace(tagLike, '&lt;')],
  ...['xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, (html: string) => clean(html, true)] as const),
])

function commentEnd(html: string, from: number): number {
  abruptEnd.lastIndex = from
  const abrupt = abruptEnd.exec(html)
  if (abrupt) return from + abrupt[0].length
  endOfComment.lastIndex = from
  return endOfComment.exec(html)?.index ?? html.length
}

const ends = new Map<string, RegExp>()

function contentEnd(html: string, name: string, from: number): number {
  const end = ends.get(name) ?? new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  ends.set(name, end)
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

function afterScript(html: string, from: number): number {
  const end = contentEnd(html, 'script', from)
  return end === html.length ? end : readTag(html, end).end
}

/** `text`: what stands there instead; undefined when nothing changes. */
type Tag = { name: string; text: string | undefined; end: number; isScript: boolean }

/** Tags are read as browsers read them. One without an end is left out: what is put behind it later would end it. */
function readTag(html: string, start: number): Tag {
  const closes = html[start + 1] === '/'
  const named = start + (closes ? 2 : 1)
  let at = skipUntil(html, named, blank | slash | greater)
  const name = html.slice(named, at).toLowerCase()
  let text = ''
  // What is copied as it was written is copied in one piece.
  let from = start
  let type: string | undefined
  for (;;) {
    const gap = at
    at = skipWhile(html, at, blank | slash)
    if (at >= html.length) return { name, text: '', end: at, isScript: false }
    if (html[at] === '>') {
      const isScript = !closes && name === 'script' && type !== 'application/ld+json'
      // A blank, so that what stood before and after does not become a tag together.
      const isLeftOut = isScript || name.endsWith(':script') || name.includes('<')
      const changed = from === start ? undefined : text + html.slice(from, at + 1)
      return { name: closes ? '' : name, text: isLeftOut ? ' ' : changed, end: at + 1, isScript }
    }
    const attribute = readAttribute(html, at)
    if (!attribute) return { name, text: '', end: html.length, isScript: false }
    // Of two attributes with one name, the first counts.
    if (attribute.name === 'type') type ??= attribute.value.trim().toLowerCase()
    const instead = closes || runs(name, attribute) ? ' ' : withoutTags(attribute)
    if (instead !== undefined) {
      text += html.slice(from, instead === ' ' ? gap : at) + instead
      from = attribute.end
    }
    at = attribute.end
  }
}

type Attribute = { name: string; value: string; quote: string; end: number }

/** Null: its quoted value does not end. */
function readAttribute(html: string, start: number): Attribute | null {
  const nameEnd = skipUntil(html, html[start] === '=' ? start + 1 : start, blank | slash | greater | equals)
  const name = html.slice(start, nameEnd).toLowerCase()
  const sign = skipWhile(html, nameEnd, blank)
  if (html[sign] !== '=') return { name, value: '', quote: '', end: nameEnd }
  const from = skipWhile(html, sign + 1, blank)
  const quote = html[from]
  if (quote !== '"' && quote !== "'") {
    const end = skipUntil(html, from, blank | greater)
    return { name, value: html.slice(from, end), quote: '', end }
  }
  const end = html.indexOf(quote, from + 1)
  return end < 0 ? null : { name, value: html.slice(from + 1, end), quote, end: end + 1 }
}

/** In a value, a reference means the same as the character itself; in a name it does not. Undefined: as it is. */
function withoutTags({ name, value, quote }: Attribute): string | undefined {
  if (name.includes('<')) return ' '
  if (!value.includes('<') && !value.includes('>')) return undefined
  return `${name}=${quote}${value.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}${quote}`
}
