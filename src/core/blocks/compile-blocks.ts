import { templateFault } from '../../render/liquid.ts'
import { blocksHtml } from './blocks.ts'
import { type BlockNode, DocumentFault, isMeantAsDocument, readDocument } from './document.ts'
import { frameAround, type Look } from './frame.ts'
import { type BlockWarning, type Page, slotHelp, slotMark } from './page.ts'

/** The HTML template of a document of blocks, and what of the document is not in it. Stored beside the document. */
export type CompiledBlocks = {
  html: string
  warnings: BlockWarning[]
  /** Where in `html` the blocks are, without the page around them. Versions saved by 0.13 do not have it. */
  inner?: Look & { from: number; to: number }
}

/** A mail, or a layout, without a page around it. */
export type BlockContent = Look & { content: string }

type Values = Readonly<Record<string, unknown>>

/** The document of an e-mail made of blocks; null for every other body. */
export function documentIn({ editorType, body }: Values): string | null {
  return editorType === 'block' && typeof body === 'string' && isMeantAsDocument(body) ? body : null
}

type Content = { controlValues: Values; compiled?: CompiledBlocks }

/**
 * For versions that were saved before there were templates of blocks. What is no document, or past the bounds, is sent
 * as it was then.
 */
export function compileStored(content: Content): void {
  const body = content.compiled ? null : documentIn(content.controlValues)
  const made = body === null ? null : compileBlocks(body)
  if (made && 'html' in made) content.compiled = made
}

/** What goes into a layout. Null: the document of an old version cannot be compiled today. */
export function contentOf({ controlValues, compiled }: Content): BlockContent | null {
  const document = compiled?.inner ? null : documentIn(controlValues)
  const again = document === null ? null : compileBlocks(document)
  const made = again && 'html' in again ? again : compiled
  if (!made?.inner) return null
  const { from, to, ...look } = made.inner
  return { ...look, content: made.html.slice(from, to) }
}

/**
 * Made when a step is saved, so that sending knows only templates. Linear in the size of the document, which is bounded,
 * so it needs no thread of its own. `fault`: one sentence for the author.
 */
export function compileBlocks(body: string): CompiledBlocks | { fault: string } {
  return compiled(body, (page, content) => {
    const look = { styles: page.styles, isLightOnly: page.isLightOnly }
    const [before, after] = frameAround(look)
    const html = before + content + after
    const fault = templateFault(html)
    if (fault !== null) return { fault: `cannot be made into a mail: ${fault}` }
    return {
      html,
      warnings: page.warnings,
      inner: { ...look, from: before.length, to: before.length + content.length },
    }
  })
}

/** The same for a layout: `slotMark` stands once in its content. */
export function compileLayoutBlocks(body: string): (BlockContent & { warnings: BlockWarning[] }) | { fault: string } {
  const slots = { count: 0 }
  return compiled(
    body,
    ({ styles, isLightOnly, warnings }, content) => {
      if (slots.count !== 1)
        return { fault: `has ${slots.count === 0 ? 'no' : 'more than one'} place for the body: ${slotHelp}` }
      const [before, after] = frameAround({ styles, isLightOnly })
      const fault = templateFault(before + content.replace(slotMark, '') + after)
      if (fault !== null) return { fault: `cannot be made into a layout: ${fault}` }
      return { content, styles, isLightOnly, warnings }
    },
    slots,
  )
}

function compiled<T>(
  body: string,
  finish: (page: Page, content: string) => T,
  slots?: { count: number },
): T | { fault: string } {
  const page: Page = { warnings: [], styles: [], isLightOnly: false, loopCount: 0, ...(slots && { slots }) }
  try {
    const document = readDocument(body)
    const { content } = slots ? withSlots(document) : document
    return finish(page, blocksHtml(page, { loops: [], hasBackground: false }, content))
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.message }
    throw error
  }
}

const slotInText = /\{\{\s*content\s*\}\}/

/** Somebody may have written the variable by hand. */
function withSlots(node: BlockNode): BlockNode {
  if (node.type === 'htmlCodeBlock') return node
  const content = node.content.flatMap((inner) => {
    if (inner.type !== 'text') return withSlots(inner)
    const [first = '', ...rest] = inner.text.split(slotInText)
    const variable = { ...inner, type: 'variable', attrs: { id: 'content' }, text: '', marks: [] }
    return [{ ...inner, text: first }, ...rest.flatMap((text) => [variable, { ...inner, text }])]
  })
  return { ...node, content }
}
