import { expect, test } from 'vitest'
import { basicAuth } from './basic-auth.ts'

test('a password may hold any character, a colon too', () => {
  expect(basicAuth('Aladdin', 'open sesame')).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
  expect(basicAuth('test', '123£:')).toBe(`Basic ${Buffer.from('test:123£:').toString('base64')}`)
})
