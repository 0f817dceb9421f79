import { templateFault } from '../../render/liquid.ts'
import { blocksHtml } from './blocks.ts'
import { DocumentFault, isMeantAsDocument, readDocument } from './document.ts'
import { frame } from './frame.ts'
import type { BlockWarning, Page } from './page.ts'

/** The HTML template of a document of blocks, and what of the document is not in it. Stored beside the document. */
export type CompiledBlocks = { html: string; warnings: BlockWarning[] }

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

/**
 * Made when a step is saved, so that sending knows only templates. Linear in the size of the document, which is bounded,
 * so it needs no thread of its own. `fault`: one sentence for the author.
 */
export function compileBlocks(body: string): CompiledBlocks | { fault: string } {
  const page: Page = { warnings: [], styles: [], isLightOnly: false, loopCount: 0 }
  try {
    const { content } = readDocument(body)
    const html = frame(page, blocksHtml(page, { loops: [], hasBackground: false }, content))
    const fault = templateFault(html)
    if (fault !== null) return { fault: `cannot be made into a mail: ${fault}` }
    return { html, warnings: page.warnings }
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.message }
    throw error
  }
}
