/** Cells by row. Quotes may hold delimiters, line ends and doubled quotes; the delimiter is the commonest of the head. */
export function readCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '')
  const delimiter = findDelimiter(source)
  const rows: string[][] = []
  let row: string[] = []
  let from = 0
  while (from <= source.length) {
    const cell = readCell(source, from, delimiter)
    row.push(cell.text)
    from = cell.end + 1
    if (source[cell.end] === delimiter) continue
    // A line without anything is no row.
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (source[cell.end] === '\r' && source[from] === '\n') from++
  }
  return rows
}

function readCell(source: string, from: number, delimiter: string): { text: string; end: number } {
  if (source[from] !== '"') {
    const end = findEnd(source, from, delimiter)
    return { text: source.slice(from, end).trim(), end }
  }
  let text = ''
  let at = from + 1
  for (;;) {
    const quote = source.indexOf('"', at)
    // Never closed: the rest is its text.
    if (quote < 0) return { text: text + source.slice(at), end: source.length }
    text += source.slice(at, quote)
    if (source[quote + 1] !== '"') return { text, end: findEnd(source, quote + 1, delimiter) }
    text += '"'
    at = quote + 2
  }
}

function findEnd(source: string, from: number, delimiter: string): number {
  let at = from
  while (at < source.length && source[at] !== delimiter && source[at] !== '\n' && source[at] !== '\r') at++
  return at
}

function findDelimiter(source: string): string {
  const head = source.slice(0, source.search(/[\r\n]|$/))
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: head.split(mark).length }))
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark
}
