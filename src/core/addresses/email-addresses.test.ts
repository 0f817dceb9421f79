import { expect, test } from 'vitest'
import { channelOverrides } from '../pipeline/overrides.ts'
import { readAddresses } from './email-addresses.ts'

test('the addresses of an event are read once, whatever the number of its people and steps', () => {
  let reads = 0
  const to = Array.from({ length: 1_000 }, (_, n) => `p${n}@example.org`)
  const counted = new Proxy(to, {
    get(list, key) {
      if (key === '0') reads++
      return Reflect.get(list, key)
    },
  })
  const overrides = { email: { to: counted } }
  for (const stepId of ['one', 'two']) {
    for (let person = 0; person < 10; person++) {
      expect(readAddresses(channelOverrides(overrides, 'email', stepId).to)).toEqual(to)
    }
  }
  expect(reads).toBe(1)
})
