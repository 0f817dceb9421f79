import { expect, test } from 'vitest'
import { bestOfFive } from '../../../test/fastest.ts'
import platformSms from '../../providers/sms/platform-sms.ts'
import { buildMessage, emailContent, type Parts } from './build-message.ts'

const html = (content: string) =>
  emailContent({ overrides: {}, subject: '', content, envelope: { preheader: 'a < b & c' } }, 'mail').html
const hidden = '<div style="display:none;max-height:0;overflow:hidden">a &lt; b &amp; c</div>'

test('the preheader stands at the start of the body', () => {
  expect(html('<html><BODY class="a">Hi</BODY></html>')).toBe(`<html><BODY class="a">${hidden}Hi</BODY></html>`)
  expect(html('<body>Hi')).toBe(`<body>${hidden}Hi`)
  expect(html('<p>Hi')).toBe(`${hidden}<p>Hi`)
  expect(html('<bodyguard>Hi')).toBe(`${hidden}<bodyguard>Hi`)
  expect(html('<body Hi')).toBe(`${hidden}<body Hi`)
})

test('a text that begins a body again and again is searched once', bestOfFive, () => {
  const used = process.threadCpuUsage()
  html('<body '.repeat(80_000))
  expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(250)
})

test('an SMS goes to the number as it is dialled', () => {
  const parts = (address: string) =>
    ({
      row: { id: 'm1', address, overrides: {}, content: 'Hi' },
      stepId: 'sms',
      integrationId: 'i1',
      provider: platformSms,
      credentials: {},
      subscriber: { subscriber_id: 'ada', locale: 'de-AT' },
      suppressed: { why: null, leftOut: new Set() },
    }) as unknown as Parts
  expect(buildMessage(parts('+43 664 1234567'))).toMatchObject({ message: { to: '+436641234567' } })
  expect(buildMessage(parts('0664 1234567'))).toMatchObject({ message: { to: '+436641234567' } })
  expect(buildMessage(parts('12345'))).toMatchObject({ message: { to: '12345' } })
})
