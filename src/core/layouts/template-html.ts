import { Parser } from 'htmlparser2'
import { Tokenizer, TypeGuards } from 'liquidjs'

/** A template as Liquid cuts it. `name`: of a tag; null: an output. */
export type Mark = { from: number; to: number; text: string; name: string | null }

/** The template must be one that can be parsed. What is commented out is left out. */
export function marksOf(source: string): { marks: Mark[]; comments: Pick<Mark, 'from' | 'to'>[] } {
  const marks: Mark[] = []
  const comments: { from: number; to: number }[] = []
  let open: Mark | null = null
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (TypeGuards.isHTMLToken(token)) continue
    const name = TypeGuards.isTagToken(token) ? token.name : null
    const mark = { from: token.begin, to: token.end, text: token.getText(), name }
    if (!open && name !== 'comment') marks.push(mark)
    if (name === 'comment') open ??= mark
    if (open && name === 'endcomment') {
      comments.push({ from: open.from, to: token.end })
      open = null
    }
  }
  return { marks, comments }
}

/** The same text with another character in place of each of the template's marks: places in it stay the same. */
export function withoutMarks(source: string, spans: readonly Pick<Mark, 'from' | 'to'>[]): string {
  let [out, at] = ['', 0]
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    out += source.slice(at, from) + 'x'.repeat(to - from)
    at = to
  }
  return out + source.slice(at)
}

export type Part = { name: string; from: number; to: number }
export type Outline = { doctypes: Part[]; opens: Part[]; closes: Part[]; texts: (Part & { within: string })[] }

const parts = new Set(['html', 'head', 'body', 'style'])
/** What stands in them is no text of the page. */
const silent = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'template',
  'svg',
])

/** Where the frame of a page is, and its texts. `within`: the element that makes a text none of the page, or ''. */
export function outlineOf(html: string): Outline {
  const outline: Outline = { doctypes: [], opens: [], closes: [], texts: [] }
  const open: string[] = []
  const parser = new Parser({
    onprocessinginstruction(name) {
      outline.doctypes.push({ name, from: parser.startIndex, to: parser.endIndex + 1 })
    },
    onopentag(name) {
      if (parts.has(name)) outline.opens.push({ name, from: parser.startIndex, to: parser.endIndex + 1 })
      if (silent.has(name)) open.push(name)
    },
    onclosetag(name, isImplied) {
      if (parts.has(name) && !isImplied) outline.closes.push({ name, from: parser.startIndex, to: parser.endIndex + 1 })
      const at = silent.has(name) ? open.lastIndexOf(name) : -1
      if (at !== -1) open.splice(at)
    },
    ontext() {
      outline.texts.push({ name: '', from: parser.startIndex, to: parser.endIndex + 1, within: open.at(-1) ?? '' })
    },
  })
  parser.end(html)
  return outline
}
