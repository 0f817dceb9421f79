import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { person } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

test('lists that come whole, however long, are taken over in parts', async () => {
  const to = await h.environment()
  const subscribers = Array.from({ length: 1_200 }, (_, n) => person(`s${n}`))
  const member = (n: number) => ({
    _id: `m${n}`,
    identifier: `tk_news:si_s${n}`,
    subscriber: { subscriberId: `s${n}` },
  })
  // Most are nobody here: they are listed.
  const members = Array.from({ length: 150_000 }, (_, n) => member(n))
  const topics = [{ _id: 'a', key: 'news' }]
  const bare: Record<string, unknown> = { '/v2/subscribers': subscribers, '/v2/topics/news/subscriptions': members }
  const before = (path: string) => (bare[path] ? { status: 200, body: bare[path] } : undefined)
  const from = await replay({ subscribers, topics }, { before })
  const { text } = await run(from, to, '--only', 'subscribers,topics')
  expect(text).toMatch(/^subscribers +1,200 +1,200 +0 +0 +0/m)
  expect(text).toMatch(/^members +150,000 +1,200 +0 +0 +148,800/m)
}, 120_000)
