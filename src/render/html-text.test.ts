import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rounds } from '../../test/rounds.ts'
import { htmlText, isWithinBounds } from './html-text.ts'
import { simpleText } from './simple-text.ts'

const table: [html: string, text: string][] = [
  ['<p>Hello <b>Ada</b></p><p>Bye</p>', 'Hello Ada\nBye'],
  ['See <a href="https://example.com/a?b=1&amp;c=2">the page</a>.', 'See the page (https://example.com/a?b=1&c=2).'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['a<br>b &lt;c&gt; &#65;&#x42; &nope;', 'a\nb <c> AB &nope;'],
  ['<style>p{}</style><script>alert("<p>")</script>text<!-- <p>hidden</p> -->', 'text'],
  ['no markup at all', 'no markup at all'],
  ['<p unclosed', ''],
  ['', ''],
  ['1 < 2 and <3', '1 < 2 and <3'],
  // Entities beyond the six of the simple text.
  ['5&nbsp;&euro; &mdash; &copy; &#x1F600;', '5 € — © 😀'],
  ['a&nbsp;&nbsp; b\n\n c', 'a b c'],
  // Cells stand apart; a row is a line; tables that only lay out show their content.
  [
    '<table><tr><td>Total</td><td>12&nbsp;&euro;</td></tr><tr><th>Tax</th><td>&nbsp;</td></tr></table>',
    'Total 12 €\nTax',
  ],
  [
    '<table><tr><td><table><tr><td><p>Left</p></td><td><p>Right</p></td></tr></table></td></tr></table><p>Below</p>',
    'Left\nRight\n\nBelow',
  ],
  // Lists.
  ['<ol><li>one</li><li>two</li></ol><ol start="7"><li>seven</ol>', '1. one\n2. two\n7. seven'],
  ['<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li><li></li></ul>', '- a\n- b\n- c'],
  ['<ol type="I" start="40000"><li>x</ol><ol start="x"><li>y</ol>', '40000. x\n1. y'],
  // Links.
  ['<a href="https://example.com">https://example.com</a>', 'https://example.com'],
  [
    '<a href="mailto:help@example.com">write</a> <a href="mailto:a@example.com">a@example.com</a>',
    'write (help@example.com) a@example.com',
  ],
  ['<a href="#top">top</a> <a name="x">here</a>', 'top here'],
  ['<a href="https://example.com"><img src="https://example.com/i.png" alt="Buy"></a>', 'Buy (https://example.com)'],
  ['<img src="https://example.com/pixel.gif">x', 'x'],
  // Headings as written, no blank line twice, no line broken.
  ['<h1>Hi there</h1><p>a</p><h2>More</h2><p>b</p>', 'Hi there\na\n\nMore\nb'],
  ['a<br><br><br><br>b', 'a\n\nb'],
  ['<div><p>a</p></div>\n\n<hr>\n\n<blockquote>b</blockquote>', 'a\n\n--------------------\n\nb'],
  [`<p>${'word '.repeat(100)}</p>`, 'word '.repeat(100).trim()],
  ['<pre>if a\n  b</pre>', 'if a\n  b'],
  ['<head><title>t</title></head><body>a</body><p>behind</p>', 'a\nbehind'],
  ['<center>a</center><center>b</center><section>c</section>', 'a\nb\nc'],
]

test.each(table)('%s', (html, text) => {
  expect(htmlText(html)).toBe(text)
})

const nested = (depth: number) => `${'<div>'.repeat(depth)}&euro;`
const tags = (count: number) => `&euro;${'<br>'.repeat(count)}`
const long = (chars: number) => `&euro;<p>${'x'.repeat(chars - 9)}`

describe('the bounds, which depend on nothing but the HTML', () => {
  test.each([
    ['depth', nested(200), nested(201)],
    ['tags', tags(10_000), tags(10_001)],
    ['length', long(512 * 1024), long(512 * 1024 + 1)],
  ])('%s', (_, within, beyond) => {
    expect([within, beyond].map(isWithinBounds)).toEqual([true, false])
    expect(htmlText(within)).toContain('€')
    expect(htmlText(beyond)).toBe(simpleText(beyond))
  })

  test.each([
    ['tags that close the one before them', `${'<p>a'.repeat(500)}<ul>${'<li>b'.repeat(500)}`, true],
    ['closing tags of what is not open', '<div></b>'.repeat(201), false],
    [
      'a closing tag inside a comment, a script or a value',
      '<div><!--</div>--><i title="</div></i>">'.repeat(101),
      false,
    ],
    ['a comment that ends at once', `<!-->${'<div>'.repeat(201)}`, false],
    ['large letters', '<DIV><Div>'.repeat(101), false],
    ['void elements', '<br><img><hr>'.repeat(201), true],
  ])('depth is counted as the parser sees it: %s', (_, html, isWithin) => {
    expect(isWithinBounds(html)).toBe(isWithin)
  })
})

test('any HTML becomes text: no tag is left of it, no line ends in blanks, no two lines in a row are empty', () => {
  const name = fc.constantFrom(
    'p',
    'div',
    'ul',
    'ol',
    'li',
    'table',
    'tr',
    'td',
    'a',
    'b',
    'h1',
    'pre',
    'hr',
    'br',
    'svg',
  )
  const piece = fc.oneof(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '&nbsp;',
      '&euro;',
      '&amp;',
      'é',
      '<!-- c -->',
      '<a href="https://example.com">',
    ),
    name.map((it) => `<${it}>`),
    name.map((it) => `</${it}>`),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = htmlText(pieces.join(''))
      expect(text).not.toMatch(/<|[^\S\n]\n|\n{3}|^\s|\s$/)
      expect(text.split('word').length).toBeGreaterThanOrEqual(
        pieces.includes('<svg>') ? 1 : pieces.filter((it) => it === 'word').length + 1,
      )
    }),
    { numRuns: rounds({ quick: 300, full: 3_000 }) },
  )
})
