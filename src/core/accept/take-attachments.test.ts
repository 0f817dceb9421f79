import { expect, test } from 'vitest'
import { takeAttachments } from './take-attachments.ts'

const file = Buffer.from('hi').toString('base64')

test('a name that is cut is not cut within a character: half of one cannot be stored', async () => {
  for (const name of [`x${'😀'.repeat(150)}.txt`, `xx${'😀'.repeat(900)}`]) {
    const taken = await takeAttachments({ attachments: [{ name, file }] }, {})
    expect('fault' in taken ? '' : taken.attachments[0]?.name.isWellFormed()).toBe(true)
  }
})

test.each([
  ['report.pdf', undefined, 'application/pdf'],
  ['Rechnung.DOCX', undefined, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['archive.tar.gz', undefined, 'application/gzip'],
  ['photo.jpeg', 'not a type', 'image/jpeg'],
  ['report.pdf', 'text/plain', 'text/plain'],
  ['strange.xyzzy', undefined, 'application/octet-stream'],
  ['pdf', undefined, 'application/octet-stream'],
  ['constructor', undefined, 'application/octet-stream'],
  ['a.__proto__', undefined, 'application/octet-stream'],
])('the type of %s, given as %s, is %s', async (name, mime, expected) => {
  const taken = await takeAttachments({ attachments: [{ name, file, mime }] }, {})
  expect(taken).toMatchObject({
    attachments: [{ name, mime: expected }],
    payload: { attachments: [{ name, mime: expected, size: 2 }] },
  })
})
