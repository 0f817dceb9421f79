type Marks = readonly [opening: string, closing: string]

/**
 * Replaces what stands between two marks, with the marks; the leftmost pair comes first. Linear, where a pattern would
 * search to the end of the text from every opening mark.
 */
export function replaceSpans(text: string, pairs: readonly Marks[], replace: (span: string) => string): string {
  const next = pairs.map(([opening]) => text.indexOf(opening))
  let [out, from] = ['', 0]
  while (true) {
    const start = Math.min(...next.filter((at) => at !== -1))
    const pair = next.indexOf(start)
    const [opening, closing] = pairs[pair] ?? []
    if (opening === undefined || closing === undefined) return out + text.slice(from)
    const closed = text.indexOf(closing, start + opening.length)
    if (closed === -1) {
      // None that follows is closed either.
      next[pair] = -1
      continue
    }
    const end = closed + closing.length
    out += text.slice(from, start) + replace(text.slice(start, end))
    from = end
    for (const [n, [mark]] of pairs.entries())
      if (next[n] !== -1 && (next[n] ?? 0) < end) next[n] = text.indexOf(mark, end)
  }
}
