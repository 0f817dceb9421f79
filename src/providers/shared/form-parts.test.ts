import { expect, test } from 'vitest'
import { formParts } from './form-parts.ts'

test('a form has a part for each item of a list and each file, and none for what is not set', () => {
  const content = Buffer.from('hi')
  const files = [{ name: 'a.txt', mime: 'text/plain', content }]
  expect(formParts({ to: ['a', 'b'], cc: [], no: undefined, nil: null, on: true, n: 0, map: { x: 1 } }, files)).toEqual(
    [
      { name: 'to', value: 'a' },
      { name: 'to', value: 'b' },
      { name: 'on', value: 'true' },
      { name: 'n', value: '0' },
      { name: 'map', value: '{"x":1}' },
      { name: 'attachment', filename: 'a.txt', mime: 'text/plain', content },
    ],
  )
})
