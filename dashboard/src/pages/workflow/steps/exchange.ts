import { isObject, readDocument } from '../../../blocks/schema/stored.ts'
import { textAt, type Values } from '../draft.ts'

/** Whether the body is written with blocks. HTML may stand under their name: the published client says it of every body. */
export function isBlocks(values: Values): boolean {
  const body = textAt(values, 'body')
  return textAt(values, 'editorType') === 'block' && (body.trim() === '' || readDocument(body) !== null)
}

/** Whether nothing would be lost with it. */
export function saysNothing(body: string): boolean {
  const content = readDocument(body)?.content
  if (!Array.isArray(content)) return body.trim() === ''
  return content.every((node) => isObject(node) && node.type === 'paragraph' && !node.content)
}

/** The whole of it in one block, so that nothing is lost or guessed. */
export function htmlAsBlocks(html: string): string {
  const block = { type: 'htmlCodeBlock', content: [{ type: 'text', text: html }] }
  return JSON.stringify({ type: 'doc', content: [block] })
}
