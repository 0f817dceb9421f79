import { expect, test } from 'vitest'
import { fastest } from '../../test/fastest.ts'
import { htmlBombs } from '../../test/html-bombs.ts'
import { simpleText } from './simple-text.ts'

test.each([
  ['<p>Hello <b>Ada</b></p><p>Bye</p>', 'Hello Ada\nBye'],
  ['See <a href="https://example.com/a?b=1&amp;c=2">the page</a>.', 'See the page (https://example.com/a?b=1&c=2).'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['a<br>b &lt;c&gt; &#65;&#x42; &nope;', 'a\nb <c> AB &nope;'],
  ['<style>p{}</style><script>alert("<p>")</script>text<!-- <p>hidden</p> -->', 'text'],
  ['<tr><td>Total</td><td>12</td></tr><tr><td>Tax</td><td>3</td></tr>', 'Total 12\nTax 3'],
  ['no markup at all', 'no markup at all'],
  ['<p unclosed', ''],
  ['', ''],
])('%s', (html, text) => {
  expect(simpleText(html)).toBe(text)
})

const units = ['<', '<a href="', '<script>', '<!--', '&#', '<p>', '</', "<a href='x'", '<a href ']
const bombs = { ...htmlBombs, ...Object.fromEntries(units.map((unit) => [unit, unit.repeat(500_000 / unit.length)])) }

test.each(Object.entries(bombs))('no input is slow: %s', async (_, html) => {
  const run = () => {
    const before = process.threadCpuUsage()
    simpleText(html)
    return process.threadCpuUsage(before).user / 1000
  }
  expect(await fastest(250, run)).toBeLessThan(250)
})
