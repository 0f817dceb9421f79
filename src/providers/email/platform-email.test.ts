import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import platformEmail from './platform-email.ts'

test('platform-email puts the mail where a developer can look at it, and nowhere else', async () => {
  const { boxed, requests, mails, send } = tryProvider(platformEmail, { message: fullEmail })
  expect(await send()).toEqual({ kind: 'sent', id: samples.email.id })
  expect(boxed).toEqual([
    {
      id: samples.email.id,
      channel: 'email',
      to: 'ada@example.org, bob@example.org, eve@example.org',
      subject: 'Hello Ada',
      content: '<p>Hello</p>',
    },
  ])
  expect([...requests, ...mails]).toEqual([])
})

test('platform-email shows the text of a mail without HTML', async () => {
  const { boxed, send } = tryProvider(platformEmail, { message: { html: '' } })
  await send()
  expect(boxed).toMatchObject([{ content: 'Hello' }])
})

test('platform-email is for development, with a sender of its own', () => {
  expect(platformEmail).toMatchObject({ developmentOnly: true, defaultFrom: 'no-reply@tidings.invalid' })
})
