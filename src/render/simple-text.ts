const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * Text from HTML that is too large for the library (html-text.ts): links keep their address, blocks their lines. One
 * pass, so that no input is slow.
 */
export function simpleText(html: string): string {
  let text = ''
  let link = ''
  for (const token of tokensOf(html)) {
    if (token.kind === 'text') {
      text += decode(token.text).replace(/\s+/g, ' ')
      continue
    }
    const { name, closes } = token
    if (name === 'a' && !closes) link = token.href
    if (name === 'a' && closes && link) {
      text += ` (${link})`
      link = ''
    }
    if (name === 'br' || (closes && /^(p|div|h[1-6]|tr|table|ul|ol|blockquote)$/.test(name))) text += '\n'
    if (name === 'li' && !closes) text += '\n- '
    if ((name === 'td' || name === 'th') && !closes) text += ' '
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

type Token = { kind: 'text'; text: string } | { kind: 'tag'; name: string; closes: boolean; href: string }

function* tokensOf(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const textEnd = open < 0 ? html.length : open
    if (textEnd > at) yield { kind: 'text', text: html.slice(at, textEnd) }
    if (open < 0) return
    at = afterTag(html, open)
    const tag = html.slice(open + 1, at - 1)
    const [, closes = '', word = ''] = /^(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(tag) ?? []
    const name = word.toLowerCase()
    yield { kind: 'tag', name, closes: closes !== '', href: hrefOf(tag) }
    if ((name === 'script' || name === 'style' || name === 'head') && !closes) {
      const end = new RegExp(`</${name}`, 'gi')
      end.lastIndex = at
      at = end.exec(html)?.index ?? html.length
    }
  }
}

function afterTag(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open)
  const close = html.indexOf(isComment ? '-->' : '>', open)
  return close < 0 ? html.length : close + (isComment ? 3 : 1)
}

function hrefOf(tag: string): string {
  const [, quoted, single] = /\shref\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})')/i.exec(tag.slice(0, 4000)) ?? []
  return decode(quoted ?? single ?? '')
}

function decode(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
  })
}
