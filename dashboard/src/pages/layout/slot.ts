import { isObject, readDocument } from '../../blocks/schema/stored.ts'

/** Where the mail stands in a layout, in HTML. */
export const slot = '{{content}}'

// Plain letters that nobody writes: they come through the compiler as they are.
const mark = 'TidingsPlaceOfTheMail'

/**
 * The document with marks where the mail stands: to the compiler of mails the slot would be a variable of the payload.
 * A line with nothing else becomes a block of HTML, since a mail brings paragraphs of its own.
 */
export function withMarks(body: string): string {
  const document = readDocument(body)
  return document ? JSON.stringify(marked(document)) : body
}

export const withSlot = (html: string) => html.replaceAll(mark, slot)

function marked(node: unknown): unknown {
  if (!isObject(node)) return node
  if (isSlot(node)) return { type: 'text', text: mark }
  if (node.type === 'text' && typeof node.text === 'string') {
    return { ...node, text: node.text.replaceAll(/\{\{ ?content ?\}\}/g, mark) }
  }
  if (!Array.isArray(node.content) || node.type === 'htmlCodeBlock') return node
  const isLine = node.type === 'paragraph' || node.type === 'heading'
  if (isLine && node.content.length === 1 && isSlot(node.content[0])) {
    return { type: 'htmlCodeBlock', content: [{ type: 'text', text: mark }] }
  }
  return { ...node, content: node.content.map(marked) }
}

function isSlot(node: unknown): boolean {
  return isObject(node) && node.type === 'variable' && isObject(node.attrs) && node.attrs.id === 'content'
}
