import { type BlockContent, type CompiledBlocks, contentOf } from '../blocks/compile-blocks.ts'
import { columnStyles, frame } from '../blocks/frame.ts'
import { slotMark } from '../blocks/page.ts'
import type { Step } from '../workflows/workflow.ts'
import { stylesMark } from './compile-layout.ts'
import type { LayoutDefinition } from './layout.ts'
import { insideOfPage } from './whole-page.ts'

/** A body without a page around it. `isOfBlocks`: it needs the style sheet of blocks. */
export type BodyPart = BlockContent & { isOfBlocks: boolean }

/** What of a step's body goes into a layout. `body`: its template as it would be sent without one. */
export function bodyPart(step: Pick<Step, 'controlValues'> & { compiled?: CompiledBlocks }, body: string): BodyPart {
  const blocks = step.compiled ? contentOf(step) : null
  if (blocks) return { ...blocks, isOfBlocks: true }
  // How HTML that somebody wrote by hand looks on a dark page is not known.
  return { ...insideOfPage(body), isLightOnly: true, isOfBlocks: false }
}

/** The HTML template of a body inside its layout. `translated`: puts in the words of the layout's own language. */
export function wrapBody(
  { compiled }: Pick<LayoutDefinition, 'compiled'>,
  body: BodyPart,
  translated: (template: string) => string,
): string {
  if ('html' in compiled) {
    const styles = [...(body.isOfBlocks ? [columnStyles] : []), ...body.styles]
    const sheets = styles.map((css) => `<style>${css}</style>`).join('')
    return put(put(translated(compiled.html), stylesMark, sheets), slotMark, body.content)
  }
  const look = {
    styles: [...compiled.styles, ...body.styles],
    isLightOnly: compiled.isLightOnly || body.isLightOnly,
  }
  return frame(look, put(translated(compiled.content), slotMark, body.content))
}

/** Not by `replace`, which gives `$` a meaning. */
function put(template: string, mark: string, text: string): string {
  const at = template.indexOf(mark)
  return at === -1 ? template : template.slice(0, at) + text + template.slice(at + mark.length)
}
