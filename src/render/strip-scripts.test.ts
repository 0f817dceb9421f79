import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, test } from 'vitest'
import { bestOfFive } from '../../test/fastest.ts'
import { rounds } from '../../test/rounds.ts'
import { stripScripts } from './strip-scripts.ts'

const image = 'data:image/png;base64,AAAA'

test.each([
  ['<p>Hi</p><script>alert(1)</script><b>x</b>', '<p>Hi</p> <b>x</b>'],
  ['<SCRIPT src="//evil">a</SCRIPT >b', ' b'],
  ['a<script>never ends', 'a '],
  ['<<script></script>img src=x onerror=alert(1)>', '< img src=x onerror=alert(1)>'],
  ['<img src="a.png" onerror="alert(1)" alt="b">', '<img src="a.png"  alt="b">'],
  ['<img/src=x/onerror=alert(1)>', '<img/src=x/onerror=alert(1)>'],
  ['<img src=x OnError = alert(1) >', '<img src=x  >'],
  ['<svg/onload=alert(1)>', '<svg >'],
  ['<a href="javascript:alert(1)">x</a>', '<a >x</a>'],
  ['<a href=" java&#x0A;script&colon;alert(1)">x</a>', '<a >x</a>'],
  [`<a href="&#${'0'.repeat(20)}106;avascript:alert(1)">x</a>`, '<a >x</a>'],
  ['<iframe srcdoc="<script>x</script>"></iframe>', '<iframe ></iframe>'],
  ['<a href="data:text/html,x">x</a>', '<a >x</a>'],
  ['<iframe src="data:image/svg+xml,<svg onload=x>"></iframe>', '<iframe ></iframe>'],
  [`<iframe src="${image}"></iframe><object data="${image}">`, '<iframe ></iframe><object >'],
  ['<img src="data:image/svg+xml,x">', '<img >'],
  ['<svg><a><set attributeName="href" to="javascript:x"/>', '<svg><a><set  />'],
  ['<animate attributeName=xlink:href values="a;javascript:x">', '<animate  values="a;javascript:x">'],
  ['<p title="a > b" onclick=x>c', '<p title="a &gt; b" >c'],
  ['<style>a>b{content:"<img onerror=x>"}</style>', '<style>a>b{content:"\\3c img onerror=x>"}</style>'],
  ['Hi <a href="x" onclick="never ends', 'Hi '],
  ['a <3 b </p', 'a <3 b '],
  ['</p title="<b>">c', '</p >c'],
  ['<!--<a title="--><img src=x onerror=alert(1)>">', '<!----><img src=x >">'],
  ['<textarea><a title="</textarea><b onclick=x>">', '<textarea>&lt;a title="</textarea><b >">'],
  ['<img a=\u00a0"><img src=x onerror=x>">', '<img a=\u00a0"><img src=x >">'],
  ['<img a=\v"><img src=x onerror=x>">', '<img a=\v"><img src=x >">'],
  ['<script type="text/javascript" type="application/ld+json">x</script>', ' '],
  [
    '<script type="application/ld+json">{"a":"<b>"}</script>',
    '<script type="application/ld+json">{"a":"\\u003cb>"}</script>',
  ],
])('%s', (html, stripped) => expect(stripScripts(html)).toBe(stripped))

test.each([
  '<!doctype html><!--[if mso]><table><tr><td><![endif]--><p style="a:b" class=x>1 < 2 & 3 > 2</p>',
  '<!--[if mso]><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript><style>td{x:y}</style><![endif]-->',
  '<!--[if !mso]><!--><p>a</p><!--<![endif]--><![if !mso]><br/><![endif]>',
  "<style>@media (width < 600px){a>b{color:red}}</style><p>it's</p>",
  '<a href="https://a.example/?on=1&javascript:=2">only a link</a>',
  '<script type="application/ld+json">{"@type":"EmailMessage"}</script>',
  `<img src="${image}" alt='data: 5'><td background=x title="data:a"></td >`,
  "<!-- don't --> <p>it's</p> <!-- \"quoted --><constructor>a</constructor>",
])('%s stays as it is', (html) => expect(stripScripts(html)).toBe(html))

type Node = DefaultTreeAdapterTypes.Node
const addresses = /^(href|src|action|formaction|data|poster|background|to|from|by|values|xlink:href|srcset)$/

/** What would run, in the tree that the standard's parser makes. */
function dangers(html: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if ('tagName' in node) {
      const attributes = node.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value])
      if (node.tagName === 'script' && Object.fromEntries(attributes).type !== 'application/ld+json')
        found.push('script')
      for (const [name = '', value = ''] of attributes) {
        const address = value.replace(/[\p{Cc} ]/gu, '').toLowerCase()
        if (/^on|^srcdoc$/.test(name) || /^(javascript|vbscript):/.test(address)) found.push(`${name}=${value}`)
        const isRaster = node.tagName === 'img' && /^data:image\/(?!svg)/.test(address)
        if (addresses.test(name) && address.startsWith('data:') && !isRaster) found.push(`${name}=${value}`)
      }
    }
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  for (const scriptingEnabled of [true, false]) visit(parse(html, { scriptingEnabled }))
  return found
}

const raw = ['style', 'textarea', 'title', 'noscript', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'script']
const roots = ['svg', 'math', 'select', 'template', 'table', 'frameset', 'foreignObject', 'mtext', 'desc', 'svg:script']
const tags = [...raw, ...roots, 'img', 'a', 'script type=application/ld+json', 'animate']
const pieces = [
  ...tags.flatMap((name) => [`<${name}>`, `<${name} `, `</${name}>`, `</${name}`]),
  ...['<', '>', '"', "'", ' ', '/', '=', '`', '&', '\0', '\v', '\f', '\r', '\t', '\u00a0', '-', '!', '?', ';', 'a'],
  ...['<!--', '-->', '--!>', '<!-->', '<!--->', '<!', '<?', '</', '<![CDATA[', ']]>', '<!doctype ', '<a title="'],
  ...[
    'on',
    'onload=x',
    'onerror=x ',
    ' onclick="x"',
    'x=',
    'srcdoc=',
    'href=',
    ' src="',
    ' type=',
    'attributeName=href ',
  ],
  ...['javascript:x', 'java&#9;script&colon;x', '&#106;avascript:x', 'data:text/html,x', 'data:image/svg+xml,x', image],
  ...['application/ld+json', 'text/javascript', '<img src=x onerror=x>', '<script>x</script>', 'values="a"'],
]

test('the judge sees what runs', () => {
  for (const html of ['<script>', '<img onerror=x>', '<svg><a xlink:href="java\nscript:x">', '<embed src=data:x>'])
    expect(dangers(html), html).not.toEqual([])
})

test('whatever is put together, nothing that runs is left', () => {
  let seed = 7
  let judged = 0
  const times = rounds({ quick: 10_000, full: 300_000 })
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let round = 0; round < times; round++) {
    const html = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join('')
    if (dangers(html).length === 0) continue
    judged++
    const stripped = stripScripts(html)
    const left = dangers(stripped)
    if (left.length > 0) throw new Error(`${JSON.stringify(html)} became ${JSON.stringify(stripped)}: ${left}`)
  }
  expect(judged).toBeGreaterThan(times / 20)
})

test.each(raw.concat('!--', 'svg><style', 'math><mtext><title'))('nothing hides in <%s>', (name) => {
  const close = name === '!--' ? '-->' : `</${name.split('<').at(-1)}>`
  for (const payload of ['<img src=x onerror=x>', '<script>x</script>', '<svg onload=x>', '<a href=javascript:x>']) {
    for (const hidden of [`<a title="${close}${payload}">`, `<!--${close}${payload}-->`, `<style>${close}${payload}`]) {
      const html = `<${name}${name === '!--' ? '' : '>'}${hidden}`
      expect(dangers(stripScripts(html)), html).toEqual([])
    }
  }
})

const bombs = [
  '<',
  '<a ',
  '<a b="',
  "<a b='c' ",
  '<script>',
  '</script',
  '<a =',
  '<a / ',
  '<!--',
  '<!--<xmp>',
  '--',
  '<style>',
]
test.each(bombs.concat('</style', '<xmp><iframe>', '<!---->', '<a b="<">', '<title></title ', '&#0', '<a b="&#', 'on'))(
  '%s half a million characters long takes no time',
  bestOfFive,
  (piece) => {
    const html = piece.repeat(500_000 / piece.length)
    const used = process.threadCpuUsage()
    stripScripts(html)
    stripScripts(`<a href="${html}`)
    stripScripts(`<a href='${html}'>`)
    stripScripts(`<!--${html}`)
    expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(1_000)
  },
)
