import { expect, test } from 'vitest'
import { exceptionsOf, faultsOfRoles, isWithin, type Roles, roleIn, rolesOf, toBody, withRoleIn } from './roles.ts'

const places = [
  { id: 'd', name: 'Development' },
  { id: 'p', name: 'Production' },
]
const of = (everywhere: Roles['everywhere'], named: Roles['in'] = {}): Roles => ({ everywhere, in: named })

test('what is said for an environment holds there, and the same as everywhere is not said again', () => {
  const given = withRoleIn(of('author'), 'p', 'viewer')
  expect([roleIn(given, 'd'), roleIn(given, 'p')]).toEqual(['author', 'viewer'])
  expect(withRoleIn(given, 'p', 'author')).toEqual(of('author'))
  expect(toBody(withRoleIn(given, 'p', null))).toEqual({
    role: 'author',
    environments: [{ environmentId: 'p', role: null }],
  })
  expect(rolesOf({ role: null, environments: [{ environmentId: 'd', role: 'viewer' }] })).toEqual(
    of(null, { d: 'viewer' }),
  )
})

test('an owner is one everywhere, whatever was said before', () => {
  const given = of('owner', { p: 'viewer' })
  expect(roleIn(given, 'p')).toBe('owner')
  expect(toBody(given)).toEqual({ role: 'owner', environments: [] })
})

test('an author and an operator may each do what the other may not', () => {
  expect([isWithin('author', 'operator'), isWithin('operator', 'author')]).toEqual([false, false])
  expect([isWithin('viewer', 'author'), isWithin('admin', 'owner'), isWithin('owner', 'admin')]).toEqual([
    true,
    true,
    false,
  ])
  expect([isWithin(null, null), isWithin('viewer', null)]).toEqual([true, false])
})

test('what the server would refuse is said before', () => {
  const admin = of('admin', { p: 'viewer' })
  expect(faultsOfRoles(of('owner'), admin, places)).toEqual(['Only an owner makes an owner. You are an admin.'])
  expect(faultsOfRoles(of('admin'), admin, places)).toEqual([
    'Nobody gives more than they have. In Production you are a viewer.',
  ])
  expect(faultsOfRoles(of('admin', { p: 'viewer' }), admin, places)).toEqual([])
  expect(faultsOfRoles(of(null, { p: null }), of('owner'), places)).toEqual([
    'Choose a role: everywhere, or in one environment.',
  ])
  expect(faultsOfRoles(of('author'), of('admin', { p: null }), places)).toEqual([
    'Nobody gives more than they have. In Production you have no role.',
  ])
})

test('what differs is said in words', () => {
  expect(exceptionsOf(of('author', { p: null, d: 'admin' }), places)).toEqual([
    'admin in Development',
    'nothing in Production',
  ])
})
