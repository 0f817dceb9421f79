const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * How many values a JSON text holds at least, and how deeply they are nested, without reading it: JSON.parse cannot be
 * interrupted, and 25 MB of tiny values take it more than a second. It stops after `mostValues`. Each value follows a
 * comma or opens a list or an object.
 */
export function scanJson(json: Buffer, mostValues: number): { values: number; depth: number } {
  let [values, level, depth] = [1, 0, 0]
  for (let at = 0; at < json.length && values <= mostValues; at++) {
    switch (json[at]) {
      case quote:
        at = endOfText(json, at + 1)
        break
      case comma:
        values += 1
        break
      case openList:
      case openObject:
        values += 1
        level += 1
        if (level > depth) depth = level
        break
      case closeList:
      case closeObject:
        level -= 1
        break
    }
  }
  return { values, depth }
}

/** Where the closing quote stands. */
function endOfText(json: Buffer, from: number): number {
  for (let at = from; ; ) {
    const end = json.indexOf(quote, at)
    if (end < 0) return json.length
    let slashes = 0
    while (end - slashes > from && json[end - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return end
    at = end + 1
  }
}
