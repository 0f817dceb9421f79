import { templateFault } from '../../render/liquid.ts'
import type { BlockWarning } from '../blocks/page.ts'
import { type Mark, marksOf, outlineOf, type Part, withoutMarks } from './template-html.ts'

/** A cheap look first: most bodies are no page. */
const mayBePage = /<(?:!doctype|html|body)[\s/>]/i

/** Whether an HTML body brings a frame of its own. */
export function isWholePage(body: string): boolean {
  return mayBePage.test(body) && pageIn(body) !== null
}

type Page = { marks: Mark[]; opens: Part[]; closes: Part[]; doctypes: Part[] }

function pageIn(body: string): Page | null {
  // What is no template is not sent either.
  if (templateFault(body) !== null) return null
  const { marks, comments } = marksOf(body)
  const outline = outlineOf(withoutMarks(body, [...marks, ...comments]))
  const isPage = outline.doctypes.length > 0 || outline.opens.some(({ name }) => name !== 'style' && name !== 'head')
  return isPage ? { ...outline, marks } : null
}

/** What of a whole page goes into a layout: what is inside its body, and its style sheets. */
export function insideOfPage(body: string): { content: string; styles: string[] } {
  const page = mayBePage.test(body) ? pageIn(body) : null
  if (!page) return { content: body, styles: [] }
  const head = spanOf(page, 'head')
  const styles = page.opens.flatMap((open) => {
    if (open.name !== 'style' || !head || open.from < head.from || open.to > head.to) return []
    const end = page.closes.find(({ name, from }) => name === 'style' && from >= open.to)
    return end ? [{ from: open.to, to: end.from }] : []
  })
  // A tag of the template in the head may say what the body needs, or be half of a pair.
  const kept = page.marks.filter(
    ({ name, from }) => name !== null && !styles.some((it) => from >= it.from && from < it.to),
  )
  const frame = [...page.doctypes, ...page.opens, ...page.closes].filter(
    ({ name }) => name !== 'style' && name !== 'head',
  )
  let [content, at] = ['', 0]
  for (const { from, to } of [...frame, ...(head ? [head] : [])].toSorted((a, b) => a.from - b.from)) {
    if (to <= at) continue
    content += body.slice(at, Math.max(from, at))
    content += kept
      .filter((mark) => mark.from >= Math.max(from, at) && mark.to <= to)
      .map(({ text }) => text)
      .join('')
    at = to
  }
  return { content: content + body.slice(at), styles: styles.map(({ from, to }) => body.slice(from, to)) }
}

function spanOf({ opens, closes }: Page, wanted: string): { from: number; to: number } | null {
  const open = opens.find(({ name }) => name === wanted)
  const close = closes.find(({ name, from }) => name === wanted && open !== undefined && from >= open.to)
  return open && close ? { from: open.from, to: close.to } : null
}

/** What is not sent of a step's body because it stands in a layout. */
export function layoutWarnings(
  type: string,
  { layoutId, body }: Readonly<Record<string, unknown>>,
  isOfBlocks: boolean,
): BlockWarning[] {
  if (type !== 'email' || typeof layoutId !== 'string' || typeof body !== 'string' || isOfBlocks) return []
  if (!isWholePage(body)) return []
  return [{ message: 'is a whole page: in a layout only what is inside its body is sent, with its style sheets' }]
}
