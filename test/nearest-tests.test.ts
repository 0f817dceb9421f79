import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nearestTests } from './nearest-tests.ts'

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean)
const near = (...changed: string[]) => nearestTests(files, changed).tests

test('a changed file brings the tests of its folder and those that import it', () => {
  expect(near('src/core/accept/backlog.ts')).toEqual(
    expect.arrayContaining(['src/core/accept/backlog.test.ts', 'src/core/accept/take-attachments.test.ts']),
  )
  expect(near('src/lib/uuid7.ts')).toContain('src/store/history/feed.test.ts')
})

test('one without tests around it brings those of the files that import it', () => {
  expect(near('src/store/channels/connections.ts')).toContain('src/core/channels/slack-delivery.test.ts')
})

test('a changed test runs, and what looks at the whole checkout always runs', () => {
  expect(near('src/lib/formats.test.ts')).toEqual(
    expect.arrayContaining(['src/lib/formats.test.ts', 'test/layout.test.ts', 'test/docs.test.ts']),
  )
})

test('routes bring the test of the generated files; slow tests stay away; what no test reaches is said', () => {
  expect(near('src/routes/topics/create.ts')).toContain('test/system.test.ts')
  expect(near('src/render/render-pool.ts').filter((file) => file.includes('.slow.'))).toEqual([])
  expect(nearestTests(files, ['scripts/seed.ts']).unseen).toEqual(['scripts/seed.ts'])
})
