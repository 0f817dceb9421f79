import type { Attributes } from './document.ts'
import { expressionOf, type Page, type Place, short, textOf, warn } from './page.ts'

/** Shown only if what `showIfKey` names is there: not missing, empty, zero or false. */
export function when(page: Page, place: Place, { showIfKey }: Attributes, html: string): string {
  const key = textOf(showIfKey)
  if (key.trim() === '' || html === '') return html
  const condition = expressionOf(page, place, key)
  if (!condition) {
    warn(page, `"${short(key)}" is no condition: what depends on it is always sent`, key)
    return html
  }
  const { source } = condition
  // A condition has no filters, so what has some gets a name first.
  const isPlain = !source.includes('|')
  const name = isPlain ? source : 'shown'
  const assigned = isPlain ? '' : `{% assign shown = ${source} %}`
  return `${assigned}{% if ${name} != blank and ${name} != 0 and ${name} != "false" %}${html}{% endif %}`
}
