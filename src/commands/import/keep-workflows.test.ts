import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { step, workflow } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

const sms = step('sms', 'sms', { body: 'B' })
const only = ['--only', 'workflows']

test('a workflow that moved keeps its switch, whoever turns it off or on there afterwards', async () => {
  const to = await h.environment()
  const moved = workflow('moved', [sms])
  const stopped = workflow('stopped', [sms])
  const from = await replay({ workflows: [moved, stopped] })
  await run(from, to, ...only)
  moved.active = false
  await to.patch('/v2/workflows/stopped', { active: false })
  for (const more of [[], ['--verify']]) {
    const { code, why, text } = await run(from, to, ...only, ...more)
    expect([code, text]).toEqual([0, expect.stringMatching(/^workflows +2 +0 +0 +2 +0/m)])
    expect([why('moved'), why('stopped')]).toEqual([
      ['is off there and on here: it stays so'],
      ['is on there and off here: it stays so'],
    ])
  }
  expect((await to.get('/v2/workflows/moved')).body.active).toBe(true)
  expect((await to.get('/v2/workflows/stopped')).body.active).toBe(false)
})

test('one that could not be carried whole, and was completed here, is not touched again', async () => {
  const to = await h.environment()
  const odd = workflow('odd', [sms, step('http_request', 'call', { url: 'https://x.example' })])
  const from = await replay({ workflows: [odd] })
  expect((await run(from, to, ...only)).why('odd').join()).toContain('it arrives switched off')
  const steps = [{ stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'Completed' } }]
  const completed = await to.put('/v2/workflows/odd', { name: 'Odd', active: true, steps })
  expect(completed.status, completed.text).toBe(200)
  const { text, why } = await run(from, to, ...only)
  expect(text).toMatch(/^workflows +1 +0 +0 +0 +1/m)
  expect(why('odd').join()).toContain('it stays as it is here')
  const { body } = await to.get('/v2/workflows/odd')
  expect(body).toMatchObject({ active: true, steps: [{ controlValues: { body: 'Completed' } }] })
})
