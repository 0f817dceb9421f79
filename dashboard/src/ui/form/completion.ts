/** A name that templates can use. */
export type Variable = {
  name: string
  about: string
  /** As JSON Schema says it, where it is known: string, number, array … */
  type?: string
  /** Of a list: what its items have, with names that begin at the item. The item itself has the name ''. */
  items?: readonly Variable[]
}

const filters: readonly Variable[] = [
  ['default', 'if it is empty: default: "you"'],
  ['upcase', 'LARGE letters'],
  ['downcase', 'small letters'],
  ['capitalize', 'a large first letter'],
  ['escape', 'safe inside HTML'],
  ['date', 'as a date: date: "%d %b %Y"'],
  ['truncate', 'at most so long: truncate: 80'],
  ['size', 'how many'],
  ['join', 'one text: join: ", "'],
  ['map', 'one field of each: map: "name"'],
  ['first', 'the first of a list'],
  ['last', 'the last of a list'],
  ['plus', 'adds: plus: 1'],
  ['minus', 'takes away: minus: 1'],
  ['times', 'multiplies: times: 2'],
  ['divided_by', 'divides: divided_by: 2'],
  ['round', 'rounds: round: 2'],
  ['replace', 'replace: "a", "b"'],
  ['split', 'a list: split: ","'],
  ['strip', 'without space around it'],
  ['newline_to_br', 'line breaks for HTML'],
  ['url_encode', 'safe inside an address'],
  ['json', 'as JSON'],
].map(([name = '', about = '']) => ({ name, about }))

/** What could stand at the caret: names inside `{{` and `{%`, filters after `|`. `from` is where the begun word starts. */
export type Completion = { from: number; items: readonly Variable[] }

export function completionAt(text: string, caret: number, variables: readonly Variable[]): Completion | null {
  const before = text.slice(0, caret)
  const opened = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'))
  if (opened < 0) return null
  const inside = before.slice(opened + 2)
  if (/[}%]\}/.test(inside)) return null
  const word = /[\w.]*$/.exec(inside)?.[0] ?? ''
  const lead = inside.slice(0, inside.length - word.length).trimEnd()
  const isTagName = before[opened + 1] === '%' && lead.replace('-', '') === ''
  if (isTagName || /["']$/.test(lead)) return null
  const source = lead.endsWith('|') ? filters : variables
  const items = source.filter(({ name }) => name !== word && name.toLowerCase().includes(word.toLowerCase()))
  const begins = (name: string) => Number(name.toLowerCase().startsWith(word.toLowerCase()))
  const best = items.toSorted((a, b) => begins(b.name) - begins(a.name)).slice(0, 8)
  return best.length > 0 ? { from: caret - word.length, items: best } : null
}

/** The text with a name put in, closed if it stands open, and where the caret goes. */
export function insertAt(text: string, from: number, caret: number, name: string): { text: string; caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(caret)]
  const isOutput = before.lastIndexOf('{{') > before.lastIndexOf('{%')
  const isOpen = isOutput && !/^[^{]*\}\}/.test(after)
  const put = isOpen ? `${name} }}` : name
  return { text: before + put + after, caret: from + put.length }
}
