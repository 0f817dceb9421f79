import { isPlainObject } from '../../lib/canonical-json.ts'

const mostTexts = 1_000

/** A chat card as text: what it says line by line. Our chat providers take texts. */
export function cardText(card: unknown): string {
  const lines: string[] = []
  collect(card, lines, 0)
  return lines.join('\n')
}

function collect(node: unknown, lines: string[], depth: number): void {
  if (depth > 32 || lines.length >= mostTexts) return
  if (Array.isArray(node)) for (const inner of node) collect(inner, lines, depth + 1)
  if (!isPlainObject(node)) return
  const { title, subtitle, content, label, value, url, alt } = node
  const text = [title, subtitle, content, label, value].filter((it) => typeof it === 'string' && it !== '').join(': ')
  const link = typeof url === 'string' ? url : ''
  const line = text && link ? `${text} (${link})` : text || (typeof alt === 'string' && alt) || link
  if (line) lines.push(line)
  collect(node.fields, lines, depth + 1)
  collect(node.children, lines, depth + 1)
}
