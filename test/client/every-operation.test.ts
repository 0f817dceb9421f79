import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { missingOperations } from '../../scripts/generated/client-reasons.ts'
import { migratingPage, servedOperations } from '../../scripts/generated/migrating-page.ts'
import { loadRoutes, type Route } from '../../src/http/load-routes.ts'
import { versions } from './client-versions.ts'
import { filesOfOperations, notCalled, ours } from './every-operation.ts'

let routes: Route[] = []
beforeAll(async () => {
  routes = await loadRoutes()
})

describe.each(versions)('@novu/api $version', ({ version, operations }) => {
  test('its files tell every operation', () => {
    expect(operations.length).toBe(version === '1.8.0' ? 80 : 149)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  })

  test('each that we have belongs to one file of tests', () => {
    for (const { name } of ours(operations, routes)) {
      const files = Object.entries(filesOfOperations).filter(([, pattern]) => pattern.test(name))
      expect([name, files.length]).toEqual([name, 1])
    }
  })

  test('one that was not called is told', () => {
    const all = notCalled('client-layouts.test.ts', { operations, routes, succeeded: new Set() })
    expect(all).toContain('layouts.usage')
    const succeeded = new Set(['GET /v2/layouts/brand/usage', 'GET /v2/layouts'])
    const left = notCalled('client-layouts.test.ts', { operations, routes, succeeded })
    expect(all.filter((name) => !left.includes(name)).sort()).toEqual(['layouts.list', 'layouts.usage'])
  })
})

test.each(Object.keys(filesOfOperations))('%s asks at its end, of both versions', (file) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8')
  expect(source).toContain(`notCalled('${file}', {`)
  const ofNewest = source.includes('describe.each(newestSpoken)')
  if (!ofNewest)
    return expect(source).toMatch(/describe\.each\((versions|spoken)\)|= pinnedVersion\n(.|\n)*notCalled\(/)
  // Then the pinned version has none of them.
  const known = ours(versions[0]?.operations ?? [], routes)
  expect(known.filter(({ name }) => Reflect.get(filesOfOperations, file).test(name))).toEqual([])
})

describe('docs/migrating.md', () => {
  test('each operation is served, or has a reason why not; none has both', () => {
    const all = servedOperations(routes)
    expect(all.length).toBe(149)
    const wrong = all.filter(({ isServed, reason }) => isServed === (reason !== null))
    expect(wrong.map(({ name }) => name)).toEqual([])
    const names = Object.keys(missingOperations)
    const idle = names.filter(
      (key) => !all.some(({ name }) => (key.endsWith('.') ? name.startsWith(key) : name === key)),
    )
    expect(idle).toEqual([])
  })

  test('its lists are what the clients and our routes say (npm run generate)', () => {
    const written = readFileSync(join(import.meta.dirname, '../../docs/migrating.md'), 'utf8')
    expect(migratingPage(written, routes)).toBe(written)
    // One that is not served any more is told.
    const fewer = routes.filter(({ name }) => name !== 'layouts-usage')
    expect(migratingPage(written, fewer)).toContain('| `layouts.usage` | `GET /v2/layouts/{layoutId}/usage` | no: ')
  })
})
