import { expect, test } from 'vitest'
import { newDraft, toBody, toDraft } from './draft.ts'

test('what is sent is what was typed, without blanks, and comes back the same', () => {
  const body = toBody({
    ...newDraft,
    name: ' Corp ',
    issuer: ' https://login.example.com ',
    clientId: 'tidings',
    clientSecret: 's',
    domains: 'a.example, b.example;c.example\n',
    groupsClaim: ' groups ',
    groupRoles: [
      { group: ' leads ', role: 'admin' },
      { group: ' ', role: 'viewer' },
    ],
    defaultRole: '',
  })
  expect(body).toEqual({
    ...{ name: 'Corp', issuer: 'https://login.example.com', clientId: 'tidings', clientSecret: 's' },
    ...{ domains: ['a.example', 'b.example', 'c.example'], scopes: ['email', 'profile'] },
    ...{ groupsClaim: 'groups', groupRoles: [{ group: 'leads', role: 'admin' }], defaultRole: null },
    ...{ joins: true, trustsEmail: false, active: true },
  })
  const { clientSecret: _secret, ...stored } = body
  // The secret that is there stays.
  expect(toBody(toDraft({ id: 'x', ...stored }))).toEqual(expect.objectContaining(stored))
  expect(toBody(toDraft({ id: 'x', ...stored }))).not.toHaveProperty('clientSecret')
})
