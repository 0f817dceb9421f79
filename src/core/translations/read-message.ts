import { maxMessageChars, readIcu } from '../../render/icu-message.ts'
import { templateFault } from '../../render/liquid.ts'
import { wordsIn } from '../../render/template-words.ts'

/**
 * A translation: text with Liquid outputs (`Hello {{subscriber.firstName}}`), or one in ICU syntax, in which outputs have
 * become values of their own. Only outputs that parse become part of a template.
 */
export type Message =
  | { kind: 'text'; pieces: readonly Piece[] }
  | { kind: 'icu'; text: string; outputs: readonly string[] }
/** `output`: an expression, without its braces. */
export type Piece = string | { output: string }

/** What the outputs of an ICU message are called in it. */
export const outputName = (index: number) => `tidings${index}`

const maxOutputs = 100

/** `fault`: what is wrong with it, in one sentence. */
export function readMessage(text: string): Message | { fault: string } {
  if (text.length > maxMessageChars) return { fault: 'is longer than 8 KB' }
  if (text.includes('{%')) return { fault: 'has a tag ({%), which translations cannot have' }
  const cut = cutOutputs(text)
  if ('fault' in cut) return cut
  const { pieces, outputs } = cut
  if (outputs.length > maxOutputs) return { fault: `has more than ${maxOutputs} outputs` }
  for (const output of outputs) {
    const source = `{{ ${output} }}`
    const fault = templateFault(source)
    if (fault !== null) return { fault: `has an output that cannot be read: ${fault}` }
    const { uses, odd } = wordsIn(source)
    if (uses.length + odd.length > 0) return { fault: 'asks for another translation' }
  }
  if (!cut.isIcu) return { kind: 'text', pieces }
  let index = 0
  const icu = pieces.map((piece) => (typeof piece === 'string' ? piece : `{${outputName(index++)}}`)).join('')
  const read = readIcu(icu)
  if ('fault' in read) return read
  const plain: Piece[] = []
  for (const node of read.nodes) {
    const at = node.kind === 'value' ? outputs.findIndex((_, place) => outputName(place) === node.name) : -1
    if (node.kind !== 'text' && at < 0) return { kind: 'icu', text: icu, outputs }
    plain.push(node.kind === 'text' ? node.text : { output: outputs[at] ?? '' })
  }
  return { kind: 'text', pieces: plain }
}

type Cut = { pieces: Piece[]; outputs: string[]; isIcu: boolean }

/**
 * In text `{{` begins an output; inside an argument, where a branch is expected, it is a branch that begins with an
 * argument: `one {{count} order}`. Braces between apostrophes are text.
 */
function cutOutputs(text: string): Cut | { fault: string } {
  const cut: Cut = { pieces: [], outputs: [], isIcu: false }
  let [depth, from, at] = [0, 0, 0]
  while (at < text.length) {
    const char = text[at]
    const isText = depth % 2 === 0
    if (char === "'" && isText) {
      if (text.startsWith('{{', at + 1)) {
        // Not the beginning of a quote: "l'{{name}}". Doubled it is an apostrophe in ICU syntax.
        cut.pieces.push(text.slice(from, at), { output: '' })
        from = at + 1
        at += 1
        continue
      }
      const next = text[at + 1] ?? ''
      const quotes = next === '{' || next === '}' || (next === '#' && depth > 0)
      if (quotes) cut.isIcu = true
      const end = quotes ? text.indexOf("'", at + 1) : at
      at = next === "'" ? at + 2 : end < 0 ? text.length : end + 1
      continue
    }
    if (char === '{' && isText && text[at + 1] === '{') {
      const end = endOfOutput(text, at + 2)
      if (end < 0) return { fault: 'has {{ without }}' }
      const output = text
        .slice(at + 2, end)
        .replace(/^-|-$/g, '')
        .trim()
      if (output === '') return { fault: 'has {{ }} with nothing in it' }
      cut.pieces.push(text.slice(from, at), { output })
      cut.outputs.push(output)
      at = end + 2
      from = at
      continue
    }
    if (char === '{') {
      depth += 1
      cut.isIcu = true
    }
    if (char === '}' && depth > 0) depth -= 1
    at += 1
  }
  cut.pieces.push(text.slice(from))
  return { ...cut, pieces: withApostrophes(cut) }
}

/** The marks that cutOutputs left in place of apostrophes before an output. */
function withApostrophes({ pieces, isIcu }: Cut): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (typeof piece === 'string') return piece === '' ? [] : [piece]
    return [piece.output === '' ? (isIcu ? "''" : "'") : piece]
  })
}

function endOfOutput(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '}' && text[at + 1] === '}') return at
  }
  return -1
}
