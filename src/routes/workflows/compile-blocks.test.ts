import { expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/workflows/compile-blocks'
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

test('the template itself, with its variables; as an HTML body it is sent like the blocks', async () => {
  const env = await h.environment()
  const body = { type: 'doc', content: [paragraph('Order {{payload.id}}')] }
  const made = await env.post(path, { body })
  expect(made.status, made.text).toBe(200)
  expect(made.body.html).toContain('Order {{payload.id}}')
  expect((await env.post(path, { body: JSON.stringify(body) })).body).toEqual(made.body)
  const shown = async (controlValues: object) =>
    (
      await env.post('/v2/workflows/preview', {
        step: { type: 'email', controlValues: { subject: 'S', ...controlValues } },
        previewPayload: { payload: { id: '<7>' } },
      })
    ).body.result.preview.body
  const html = await shown({ editorType: 'html', body: made.body.html })
  expect(html).toContain('Order &lt;7&gt;')
  expect(html).toBe(await shown({ editorType: 'block', body }))
})

test('what is left out is told, and what is no document is refused by its field', async () => {
  const env = await h.environment()
  const poll = await env.post(path, { body: { type: 'doc', content: [{ type: 'poll' }] } })
  expect(poll.body.warnings).toMatchObject([{ message: expect.stringContaining('"poll"') }])
  const refused = await env.post(path, { body: '<p>Hello</p>' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.body.messages[0]).toContain('not JSON')
})
