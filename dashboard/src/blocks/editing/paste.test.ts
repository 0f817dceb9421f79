import { expect, test } from 'vitest'
import { putAside } from './paste.ts'

test.each([
  ['<p style="color:red">a</p>', '<p data-style="color:red">a</p>'],
  ["<b STYLE='font-weight:normal' onclick='x()' class=a>", "<b data-style='font-weight:normal'  class=a>"],
  ['<a title="a style=b > onload=c" href=x onerror=y>', '<a title="a style=b > onload=c" href=x >'],
  ['<p>style="a" onclick="b"</p> 1 < 2', '<p>style="a" onclick="b"</p> 1 < 2'],
  ['<i data-kept="{&quot;a&quot;:&quot; style=1&quot;}">', '<i data-kept="{&quot;a&quot;:&quot; style=1&quot;}">'],
])('%s', (html, wanted) => expect(putAside(html)).toBe(wanted))

test('a long text of open tags is read at once', () => {
  const from = performance.now()
  putAside('<a '.repeat(50_000) + '"'.repeat(999))
  putAside('<a b="'.repeat(20_000))
  expect(performance.now() - from).toBeLessThan(2_000)
})
