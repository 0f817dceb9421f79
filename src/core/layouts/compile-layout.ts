import { type FieldErrors, validationFailed } from '../../errors.ts'
import { templateFault } from '../../render/liquid.ts'
import { compileLayoutBlocks, documentIn } from '../blocks/compile-blocks.ts'
import { isMeantAsDocument, isSurelyDocument } from '../blocks/document.ts'
import { slotMark } from '../blocks/page.ts'
import type { CompiledLayout, LayoutDefinition } from './layout.ts'
import { type Mark, marksOf, type Outline, outlineOf, withoutMarks } from './template-html.ts'

export type LayoutValues = LayoutDefinition['controlValues']
export type SentValues = { body?: string | Record<string, unknown> | null; editorType?: 'html' | 'block' | null }

/** A frame and nothing else: a mail of blocks looks in it as it does without it. */
const onlySlot = JSON.stringify({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'content' } }] }],
})

/** What is stored of a layout's body. Throws 422. */
export function toLayoutContent(sent: SentValues | null): Pick<LayoutDefinition, 'controlValues' | 'compiled'> {
  const { values, faults, compiled } = judgeLayout(sent)
  if (!compiled) throw validationFailed(faults)
  return { controlValues: values, compiled }
}

export function judgeLayout(sent: SentValues | null): {
  values: LayoutValues
  faults: FieldErrors
  compiled?: CompiledLayout
} {
  const values = complete(sent)
  const document = documentIn(values)
  const made = document === null ? compileHtml(values.body) : compileLayoutBlocks(document)
  if ('fault' in made) return { values, faults: { 'controlValues.email.body': { messages: [made.fault] } } }
  return { values, faults: {}, compiled: made }
}

function complete(sent: SentValues | null): LayoutValues {
  const body = sent?.body ?? ''
  if (body === '') return { body: onlySlot, editorType: 'block' }
  const editorType = sent?.editorType ?? (isSurelyDocument(body) ? 'block' : 'html')
  if (typeof body === 'string') return { body, editorType }
  return { body: JSON.stringify(body), editorType: isMeantAsDocument(body) ? 'block' : editorType }
}

/** Where the style sheets of bodies go. */
export const stylesMark = '\ufdd0styles\ufdd1'

const slot = /^\{\{-?\s*content\s*-?\}\}$/
const slotWithMore = /^\{\{-?\s*content\s*\|/
/** In these the body would come several times, or not where it stands. */
const unfit = new Set(['for', 'tablerow', 'capture'])

function compileHtml(given: string): CompiledLayout | { fault: string } {
  const source = given.replaceAll(/[\ufdd0\ufdd1]/g, '')
  const fault = templateFault(source)
  if (fault !== null) return { fault: `is not a valid template: ${fault}` }
  const { marks, comments } = marksOf(source)
  const slots = marks.filter(({ name, text }) => name === null && slot.test(text))
  const [only] = slots
  if (marks.some(({ name, text }) => name === null && slotWithMore.test(text))) {
    return { fault: 'has filters behind "content": write {{content}} alone' }
  }
  if (!only || slots.length > 1) {
    return { fault: `has ${only ? 'more than one' : 'no'} place for the body: write {{content}} into the layout once` }
  }
  const around = tagsAround(marks, only)
  const repeats = around.find((name) => unfit.has(name))
  if (repeats !== undefined) return { fault: `has {{content}} inside "${repeats}": the body is sent once` }
  const outline = outlineOf(withoutMarks(source, [...marks, ...comments]))
  const text = outline.texts.find(({ from, to }) => from <= only.from && to >= only.to)
  if (text?.within !== '') {
    return { fault: 'has {{content}} where no text can stand: not in a tag, a comment, a script, a style or a title' }
  }
  const at = Math.min(placeOfStyles(outline), only.from)
  const html = source.slice(at, only.from) + slotMark + source.slice(only.to)
  return { html: source.slice(0, at) + stylesMark + html, warnings: [] }
}

/** The blocks of the template that are open there. */
function tagsAround(marks: readonly Mark[], { from }: Mark): string[] {
  const open: string[] = []
  for (const { name, from: at } of marks) {
    if (at >= from || name === null) continue
    if (name.startsWith('end')) open.splice(Math.max(open.lastIndexOf(name.slice(3)), 0))
    else if (blocks.has(name)) open.push(name)
  }
  return open
}
const blocks = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'raw'])

/** At the end of the head, or at the beginning of what is no page. */
function placeOfStyles({ doctypes, opens, closes }: Outline): number {
  const head = closes.find(({ name }) => name === 'head')
  const body = opens.find(({ name }) => name === 'body')
  const begin = [...opens.filter(({ name }) => name === 'html'), ...doctypes].at(0)
  return head?.from ?? body?.from ?? begin?.to ?? 0
}
