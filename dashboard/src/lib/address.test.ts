import { expect, test } from 'vitest'
import { addressOf, environmentIn, pageElsewhere, pageIn } from './address.ts'
import { paths } from './paths.ts'

test('an address names its environment and its page, and is put together from them again', () => {
  for (const [address, slug, page] of [
    ['/env/staging/workflows/a%2Fb?tab=settings#x', 'staging', '/workflows/a%2Fb?tab=settings#x'],
    ['/env/staging?range=7d', 'staging', '/?range=7d'],
    ['/env/staging#x', 'staging', '/#x'],
    ['/env/staging', 'staging', '/'],
    ['/env/a%2Fb/topics', 'a/b', '/topics'],
  ] as const) {
    expect(environmentIn(address), address).toBe(slug)
    expect(pageIn(address), address).toBe(page)
    expect(addressOf(slug, page), address).toBe(address)
  }
  expect(pageIn('/env/staging/')).toBe('/')
})

test('an old address names no environment, and is a page as it stands', () => {
  for (const address of ['/', '/workflows/x', '/env', '/env/', '/environments', '/?a=/env/staging/x']) {
    expect(environmentIn(address), address).toBeNull()
    expect(pageIn(address), address).toBe(address)
    expect(addressOf(null, address), address).toBe(address)
  }
})

test('what is broken or odd names something that there is not, and breaks nothing', () => {
  expect(environmentIn('/env/%E0%A4%A/x')).toBe('%E0%A4%A')
  expect(pageIn('/env/a//evil.example/x')).toBe('/evil.example/x')
  expect(addressOf('a b?c#d', '/')).toBe('/env/a%20b%3Fc%23d')
})

test('what is outside of all environments, or is no page of ours, gets none', () => {
  for (const page of [paths.signIn, '/sign-in?next=/x', '//evil.example', 'https://a.example/', '#main', '/env/b/c']) {
    expect(addressOf('a', page), page).toBe(page)
  }
  expect(addressOf('a', '/sign-instructions')).toBe('/env/a/sign-instructions')
})

test('a list is the same elsewhere; a single thing becomes the overview', () => {
  const lists = [paths.overview, paths.workflows]
  expect(pageElsewhere(paths.workflows, lists)).toBe(paths.workflows)
  expect(pageElsewhere(paths.workflow('x'), lists)).toBe('/')
})
