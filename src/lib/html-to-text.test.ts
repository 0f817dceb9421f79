import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test.each([
  ['<p>Hello <b>Ada</b></p><p>Bye</p>', 'Hello Ada\nBye'],
  ['See <a href="https://example.com/a?b=1&amp;c=2">the page</a>.', 'See the page (https://example.com/a?b=1&c=2).'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['a<br>b &lt;c&gt; &#65;&#x42; &nope;', 'a\nb <c> AB &nope;'],
  ['<style>p{}</style><script>alert("<p>")</script>text<!-- <p>hidden</p> -->', 'text'],
  ['no markup at all', 'no markup at all'],
  ['<p unclosed', ''],
  ['', ''],
])('%s', (html, text) => {
  expect(htmlToText(html)).toBe(text)
})

test('no input is slow', () => {
  const bombs = ['<', '<a href="', '<script>', '<!--', '&#', '<p>', '</', "<a href='x'"]
  for (const bomb of bombs) {
    const started = performance.now()
    htmlToText(bomb.repeat(500_000 / bomb.length))
    expect(performance.now() - started, bomb).toBeLessThan(1_000)
  }
})
