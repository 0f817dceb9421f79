/**
 * HTML without what would run: script elements, event handlers, `javascript:` addresses. Everything else stays as it is,
 * to the byte. It trusts no context: what looks like a tag inside a comment or a style is treated like one. One pass, so
 * that no input is slow.
 */
export function stripScripts(html: string): string {
  let kept = ''
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const name = /^[a-zA-Z][^\s/>]*/.exec(html.slice(at + 1, at + 1 + maxNameChars))?.[0]
    if (name === undefined) {
      at += 1
      continue
    }
    kept += html.slice(from, at)
    const tag = readTag(html, at, name)
    // A blank, so that what stood before and after does not become a tag together.
    const isScript = name.toLowerCase().endsWith('script') && !tag.isData
    kept += isScript ? ' ' : tag.text
    at = isScript ? endOfScript(html, tag.end) : tag.end
    from = at
  }
  return kept + html.slice(from)
}

// No element has a longer name.
const maxNameChars = 100

type Tag = { text: string; end: number; isData: boolean }

/** Tags are read as browsers read them. One without an end is left out: what is put behind it later would end it. */
function readTag(html: string, start: number, name: string): Tag {
  let at = start + 1 + name.length
  let text = `<${name}`
  let isData = false
  for (;;) {
    const gap = match(separators, html, at)
    at += gap.length
    if (at >= html.length) return { text: '', end: html.length, isData: false }
    if (html[at] === '>') return { text: `${text}${gap}>`, end: at + 1, isData }
    const attribute = readAttribute(html, at)
    if (!attribute) return { text: '', end: html.length, isData: false }
    isData ||= attribute.name === 'type' && attribute.value.trim().toLowerCase() === 'application/ld+json'
    text += runs(attribute) ? ' ' : gap + html.slice(at, attribute.end)
    at = attribute.end
  }
}

const separators = /[\s/]*/y
const nameOfAttribute = /=?[^\s/>=]*/y
const equals = /\s*=\s*/y
const unquoted = /[^\s>]*/y

type Attribute = { name: string; value: string; end: number }

/** Null: its quoted value does not end. */
function readAttribute(html: string, start: number): Attribute | null {
  const name = match(nameOfAttribute, html, start)
  const sign = match(equals, html, start + name.length)
  const from = start + name.length + sign.length
  const named = (value: string, end: number) => ({ name: name.toLowerCase(), value, end })
  if (sign === '') return named('', from)
  const quote = html[from]
  if (quote !== '"' && quote !== "'") {
    const value = match(unquoted, html, from)
    return named(value, from + value.length)
  }
  const end = html.indexOf(quote, from + 1)
  return end < 0 ? null : named(html.slice(from + 1, end), end + 1)
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function runs({ name, value }: Attribute): boolean {
  if (name.startsWith('on') || name === 'srcdoc') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in an address
  const address = decode(value).replace(/[\x00-\x20]+/g, '')
  return /^(javascript|vbscript):|^data:text\/html/i.test(address)
}

const named: Record<string, string> = { colon: ':', tab: '', newline: '' }

function decode(text: string): string {
  return text.replace(/&#x([\da-f]{1,8});?|&#(\d{1,8});?|&(colon|tab|newline);/gi, (_whole, hex, digits, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? ''
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function endOfScript(html: string, from: number): number {
  const close = /<\/[^\s/>]*script[^>]*>?/gi
  close.lastIndex = from
  const found = close.exec(html)
  return found ? found.index + found[0].length : html.length
}
