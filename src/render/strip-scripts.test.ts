import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { stripScripts } from './strip-scripts.ts'

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
  ['<iframe srcdoc="<script>x</script>"></iframe>', '<iframe ></iframe>'],
  ['<a href="data:text/html,x">x</a>', '<a >x</a>'],
  ['<p title="a > b" onclick=x>c', '<p title="a > b" >c'],
  ['<style><img onerror=x></style>', '<style><img ></style>'],
  ['Hi <a href="x" onclick="never ends', 'Hi '],
])('%s', (html, stripped) => expect(stripScripts(html)).toBe(stripped))

test.each([
  '<!doctype html><!--[if mso]><table><tr><td><![endif]--><p style="a:b" class=x>1 < 2 & 3 > 2</p>',
  '<a href="https://a.example/?on=1&javascript:=2">only a link</a>',
  '<script type="application/ld+json">{"@type":"EmailMessage"}</script>',
  'a <3 b </p',
])('%s stays as it is', (html) => expect(stripScripts(html)).toBe(html))

test('whatever is put together, nothing that runs is left', () => {
  const pieces = [
    '<script>',
    '</script>',
    '<',
    '>',
    '"',
    "'",
    ' ',
    '/',
    '=',
    'on',
    'onload=x',
    'img',
    '<img ',
    'a',
    '<!--',
    '-->',
    'x=',
  ]
  let seed = 7
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let round = 0; round < 3_000; round++) {
    const html = Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join('')
    const parser = new Parser({
      onopentag(name, attributes) {
        const handlers = Object.keys(attributes).filter((it) => it.startsWith('on'))
        if (name === 'script' || handlers.length > 0) throw new Error(`${html} became ${stripScripts(html)}`)
      },
    })
    parser.end(stripScripts(html))
  }
})

test.each(['<', '<a ', '<a b="', "<a b='c' ", '<script>', '</script', '<a =', '<a / '])(
  '%s half a million characters long takes no time',
  (piece) => {
    const html = piece.repeat(500_000 / piece.length)
    const used = process.threadCpuUsage()
    stripScripts(html)
    expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(1_000)
  },
)
