import { expect, test } from 'vitest'
import { testConfig } from '../../../test/harness.ts'
import { ownAddress } from './own-address.ts'

const asked = (host: string | undefined, settings: Record<string, string> = {}) => {
  const request = { headers: { host }, protocol: 'http', socket: { localAddress: '::ffff:192.168.1.5' } }
  return ownAddress(testConfig(settings), request as never)
}

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['app.localhost', 'http://app.localhost'],
  // Where the call arrived.
  ['192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ['192.168.1.6:3000', null],
  ['evil.example', null],
  ['localhost.evil.example', null],
  ['127.0.0.1.evil.example', null],
  ['evil.example:80@localhost', null],
  ['localhost/evil', null],
  ['localhost#', null],
  ['localhost\\evil', null],
  ['', null],
  [undefined, null],
])('on a developer’s machine %s is believed as %s', (host, address) => expect(asked(host)).toBe(address))

test('PUBLIC_URL counts, whatever was asked for', () => {
  const settings = { PUBLIC_URL: 'https://tidings.example.com' }
  for (const host of ['localhost:3000', 'evil.example'])
    expect(asked(host, settings)).toBe('https://tidings.example.com')
})
