import { parseJson } from './parse-json.ts'

// Deeper than any vendor's event. More values than a megabyte of real events holds (SendGrid's come by the thousand):
// to read a megabyte of nothing but brackets or numbers takes longer than one call may.
const mostDepth = 32
const mostValues = 60_000
const [quote, backslash] = [0x22, 0x5c]

/** The JSON of a vendor's call, or undefined if it is none or nothing a vendor would write. */
export function parseCallback(body: string): unknown {
  return isModest(body) ? parseJson(body) : undefined
}

/** One look at each character. What is inside a text does not count. */
function isModest(json: string): boolean {
  let [depth, values] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfText(json, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > mostDepth || ++values > mostValues) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (++values > mostValues) return false
        break
    }
  }
  return true
}

function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return json.length
}
