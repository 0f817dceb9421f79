import { isPlainObject } from '../../lib/canonical-json.ts'

/** A document of the block editor as JSON, read within bounds: every node is complete, whatever was sent. */
export type Attributes = Readonly<Record<string, unknown>>
export type Mark = { type: string; attrs: Attributes }
export type BlockNode = {
  type: string
  attrs: Attributes
  text: string
  marks: readonly Mark[]
  content: readonly BlockNode[]
}

/** What is wrong with a document as a whole: one sentence that goes on after the field's name. */
export class DocumentFault extends Error {}

// A long newsletter has some 300 nodes, 12 levels and 60 KB.
export const maxDocumentChars = 256 * 1024
export const maxNodes = 2_000
export const maxLevels = 25
const maxMarks = 20

/**
 * Whether a body is meant as a document. The published client says `editorType: "block"` of every body unless it is told
 * otherwise, so an HTML body may come under that name, too.
 */
export function isMeantAsDocument(body: unknown): boolean {
  return isPlainObject(body) || (typeof body === 'string' && /^\s*\{\s*["}]/.test(body))
}

/** The same for a body of which nothing was said: sure enough to take it for blocks. */
export function isSurelyDocument(body: unknown): boolean {
  if (isPlainObject(body)) return body.type === 'doc'
  return typeof body === 'string' && /^\s*\{\s*"type"\s*:\s*"doc"/.test(body)
}

/** Throws DocumentFault. */
export function readDocument(body: string): BlockNode {
  if (body.length > maxDocumentChars)
    throw new DocumentFault(`is a document of more than ${maxDocumentChars / 1024} KB`)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new DocumentFault('is no block document: it is not JSON. Send the document as JSON, or editorType "html"')
  }
  if (!isPlainObject(value) || value.type !== 'doc' || !Array.isArray(value.content)) {
    throw new DocumentFault('is no block document: it needs "type": "doc" and a list "content"')
  }
  const count = { left: maxNodes }
  return readNode(value, 1, count)
}

function readNode(value: unknown, level: number, count: { left: number }): BlockNode {
  if (level > maxLevels) throw new DocumentFault(`is a document of more than ${maxLevels} levels: nest fewer blocks`)
  count.left -= 1
  if (count.left < 0) throw new DocumentFault(`is a document of more than ${maxNodes} nodes: make it shorter`)
  if (!isPlainObject(value) || typeof value.type !== 'string') {
    throw new DocumentFault('is a document with a node that is no object with a "type"')
  }
  const { type, attrs, text, marks, content } = value
  return {
    type,
    attrs: isPlainObject(attrs) ? attrs : {},
    text: typeof text === 'string' ? text : '',
    marks: Array.isArray(marks) ? marks.slice(0, maxMarks).flatMap(readMark) : [],
    content: Array.isArray(content) ? content.map((inner) => readNode(inner, level + 1, count)) : [],
  }
}

function readMark(value: unknown): Mark[] {
  if (!isPlainObject(value) || typeof value.type !== 'string') return []
  return [{ type: value.type, attrs: isPlainObject(value.attrs) ? value.attrs : {} }]
}
