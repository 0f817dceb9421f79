import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'

const h = useHarness()

const html = (body: string) => ({ controlValues: { email: { body, editorType: 'html' } } })
const mail = (layoutId: string | null | undefined, more: object = {}) => ({
  stepId: 'mail',
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'S', body: '<p>B</p>', ...(layoutId !== undefined && { layoutId }) },
  ...more,
})

async function make(env: Client, layoutId: string, more: object = {}) {
  const made = await env.post('/v2/layouts', { layoutId, name: layoutId, ...more })
  expect(made.status, made.text).toBe(201)
  return made.body
}

async function editions(env: Client): Promise<number> {
  const rows = await h.admin
    .selectFrom('edition')
    .select('number')
    .where('environment_id', '=', env.environmentId)
    .execute()
  return rows.length
}

async function versionsOf(env: Client) {
  const rows = await h.admin
    .selectFrom('layout_version')
    .select(['identifier', 'edition', 'is_default', 'definition'])
    .where('environment_id', '=', env.environmentId)
    .orderBy('edition')
    .orderBy('identifier')
    .execute()
  return rows.map(
    (it) => `${it.edition} ${it.identifier}${it.is_default ? ' default' : ''}${it.definition ? '' : ' gone'}`,
  )
}

describe('versions', () => {
  test('a change is an edition; saving the same again is none', async () => {
    const env = await h.environment()
    const made = await make(env, 'brand', html('<b>A</b>{{content}}'))
    expect(made).toMatchObject({ edition: 1, isDefault: false, isTranslationEnabled: false, type: 'REGULAR' })
    expect(made.controls.values.email).toEqual({ body: '<b>A</b>{{content}}', editorType: 'html' })
    const same = await env.put('/v2/layouts/brand', { name: 'brand', ...html('<b>A</b>{{content}}') })
    expect(same.body).toEqual(made)
    expect((await env.put('/v2/layouts/brand', { name: 'brand' })).body).toEqual(made)
    const changed = await env.put(`/v2/layouts/${made._id}`, { name: 'brand', ...html('<b>B</b>{{content}}') })
    expect(changed.body).toMatchObject({ edition: 2, layoutId: 'brand' })
    const cleared = await env.put('/v2/layouts/brand', { name: 'brand', controlValues: null })
    expect(cleared.body.controls.values.email).toMatchObject({ editorType: 'block' })
    expect(await editions(env)).toBe(3)
  })

  test('two saves at once are two editions, and both are kept', async () => {
    const env = await h.environment()
    await make(env, 'brand')
    const bodies = Array.from({ length: 10 }, (_, n) => `${n}{{content}}`)
    const replies = await Promise.all(
      bodies.map((body) => env.put('/v2/layouts/brand', { name: 'brand', ...html(body) })),
    )
    expect(replies.map((it) => it.body.edition).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const last = replies.find((it) => it.body.edition === 11)
    expect((await env.get('/v2/layouts/brand')).body).toEqual(last?.body)
    expect(await editions(env)).toBe(11)
  })

  test('a layoutId that was deleted is free again', async () => {
    const env = await h.environment()
    const { _id } = await make(env, 'brand')
    expect((await env.delete('/v2/layouts/brand')).status).toBe(204)
    expect((await env.get(`/v2/layouts/${_id}`)).body.code).toBe('layout_not_found')
    expect((await make(env, 'brand'))._id).not.toBe(_id)
    expect(await versionsOf(env)).toEqual(['1 brand', '2 brand gone', '3 brand'])
  })
})

describe('the default', () => {
  test('is only what was said to be it, and moves in one edition', async () => {
    const env = await h.environment()
    expect((await make(env, 'a')).isDefault).toBe(false)
    expect((await make(env, 'b', { isDefault: true })).isDefault).toBe(true)
    expect((await env.put('/v2/layouts/a', { name: 'a', isDefault: true })).body).toMatchObject({
      isDefault: true,
      edition: 3,
    })
    expect((await env.get('/v2/layouts/b')).body).toMatchObject({ isDefault: false, edition: 3 })
    expect((await make(env, 'c', { isDefault: true })).edition).toBe(4)
    expect(await versionsOf(env)).toEqual(['1 a', '2 b default', '3 a default', '3 b', '4 a', '4 c default'])
    expect((await env.put('/v2/layouts/c', { name: 'c' })).body.isDefault).toBe(true)
    expect((await env.put('/v2/layouts/c', { name: 'c', isDefault: false })).body.isDefault).toBe(false)
  })

  test('ten that want to be it at once: one is', async () => {
    const env = await h.environment()
    const ids = Array.from({ length: 10 }, (_, n) => `l${n}`)
    await Promise.all(ids.map((id) => make(env, id, { isDefault: true })))
    const { layouts } = (await env.get('/v2/layouts?limit=100')).body
    expect(layouts.filter((it: { isDefault: boolean }) => it.isDefault)).toHaveLength(1)
  })

  test('cannot be deleted', async () => {
    const env = await h.environment()
    await make(env, 'a', { isDefault: true })
    expect((await env.delete('/v2/layouts/a')).body).toMatchObject({ statusCode: 409, code: 'layout_is_default' })
    await env.put('/v2/layouts/a', { name: 'a', isDefault: false })
    expect((await env.delete('/v2/layouts/a')).status).toBe(204)
  })
})

describe('a workflow that names one', () => {
  test('keeps what was sent: a name, null, or nothing', async () => {
    const env = await h.environment()
    await make(env, 'brand')
    for (const layoutId of ['brand', null, undefined]) {
      const workflowId = `w-${layoutId}`
      const made = await env.post('/v2/workflows', {
        workflowId,
        name: 'W',
        steps: [mail(layoutId, { variants: [mail(layoutId)] })],
      })
      expect(made.status, made.text).toBe(201)
      const { steps } = (await env.get(`/v2/workflows/${workflowId}`)).body
      expect(steps[0].controlValues.layoutId).toBe(layoutId)
      expect(steps[0].variants[0].controlValues.layoutId).toBe(layoutId)
      expect('layoutId' in steps[0].controlValues).toBe(layoutId !== undefined)
      // What was read can be sent back, and is no change.
      const back = await env.put(`/v2/workflows/${workflowId}`, { name: 'W', steps })
      expect(back.body.version).toBe(1)
    }
  })

  test('must name one that there is, also in variants and in another environment', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await make(other, 'brand')
    const steps = [mail('brand', { variants: [mail(null), mail('gone')] })]
    const made = await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })
    expect(made.status).toBe(422)
    expect(Object.keys(made.body.errors)).toEqual([
      'steps.0.controlValues.layoutId',
      'steps.0.variants.1.controlValues.layoutId',
    ])
    expect((await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps: [mail(null)] })).status).toBe(201)
    expect((await env.put('/v2/workflows/w', { name: 'W', steps })).status).toBe(422)
    const preview = await env.post('/v2/workflows/preview', { step: mail('brand') })
    expect(preview.body.result.errors).toEqual([
      { field: 'layoutId', message: expect.stringContaining('names no layout') },
    ])
    for (const layoutId of [7, '', {}]) {
      const refused = await env.put('/v2/workflows/w', { name: 'W', steps: [mail(layoutId as string)] })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['steps.0.controlValues.layoutId']])
    }
  })

  test('keeps it from being deleted while its newest version does', async () => {
    const env = await h.environment()
    await make(env, 'brand')
    await env.post('/v2/workflows', { workflowId: 'w1', name: 'One', steps: [mail('brand')] })
    await env.post('/v2/workflows', {
      workflowId: 'w2',
      name: 'Two',
      steps: [mail(null, { variants: [mail('brand')] })],
    })
    await env.post('/v2/workflows', { workflowId: 'w3', name: 'Three', steps: [mail(undefined)] })
    const refused = await env.delete('/v2/layouts/brand')
    expect(refused.body).toMatchObject({
      statusCode: 409,
      code: 'layout_in_use',
      message: expect.stringContaining('w1, w2'),
    })
    const users = [
      { name: 'One', workflowId: 'w1' },
      { name: 'Two', workflowId: 'w2' },
    ]
    expect(refused.body.workflows).toEqual(users)
    expect((await env.get('/v2/layouts/brand/usage')).body).toEqual({ workflows: users })
    await env.put('/v2/layouts/brand', { name: 'brand', isDefault: true })
    const all = (await env.get('/v2/layouts/brand/usage')).body.workflows
    expect(all.map((it: { workflowId: string }) => it.workflowId)).toEqual(['w1', 'w2', 'w3'])
    await env.put('/v2/layouts/brand', { name: 'brand', isDefault: false })
    await env.put('/v2/workflows/w1', { name: 'One', steps: [mail(null)] })
    await env.delete('/v2/workflows/w2')
    expect((await env.delete('/v2/layouts/brand')).status).toBe(204)
  })

  test('saved while it is deleted: one of the two is refused', async () => {
    const env = await h.environment()
    for (let n = 0; n < 10; n++) {
      await make(env, `l${n}`)
      const [saved, deleted] = await Promise.all([
        env.post('/v2/workflows', { workflowId: `w${n}`, name: 'W', steps: [mail(`l${n}`)] }),
        env.delete(`/v2/layouts/l${n}`),
      ])
      expect([`201 409`, `422 204`]).toContain(`${saved.status} ${deleted.status}`)
    }
  })

  test('a whole page in a layout is told', async () => {
    const env = await h.environment()
    await make(env, 'brand', html('<b>Acme</b>{{content}}'))
    const page = '<html><body><p>B</p></body></html>'
    const step = { ...mail('brand'), controlValues: { subject: 'S', body: page, layoutId: 'brand' } }
    const made = await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps: [step] })
    expect(made.body.steps[0].issues.controls.body).toEqual([
      { issueType: 'MISSING_VALUE', severity: 'warning', message: expect.stringContaining('is a whole page') },
    ])
    const { result } = (await env.post('/v2/workflows/w/step/mail/preview', {})).body
    expect(result.preview.body).toBe('<b>Acme</b><p>B</p>')
    expect(result.warnings).toEqual([{ field: 'body', message: expect.stringContaining('is a whole page') }])
  })
})

describe('bounds', () => {
  test('a hundred, also when many are made at once', async () => {
    const env = await h.environment()
    for (let n = 0; n < 95; n += 5) await Promise.all([0, 1, 2, 3, 4].map((more) => make(env, `l${n + more}`)))
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => env.post('/v2/layouts', { layoutId: `m${n}`, name: 'M' })),
    )
    expect(replies.filter((it) => it.status === 201)).toHaveLength(5)
    expect(replies.filter((it) => it.body.code === 'too_many_layouts')).toHaveLength(5)
    expect((await env.post('/v2/layouts/l1/duplicate', { name: 'x' })).body.code).toBe('too_many_layouts')
    expect((await env.delete('/v2/layouts/l1')).status).toBe(204)
    await make(env, 'n')
  })

  test('a layoutId is taken once', async () => {
    const env = await h.environment()
    await make(env, 'brand')
    expect((await env.post('/v2/layouts', { layoutId: 'brand', name: 'B' })).body.code).toBe('layout_exists')
    expect((await env.post('/v2/layouts/brand/duplicate', { name: 'B', layoutId: 'brand' })).body.code).toBe(
      'layout_exists',
    )
    expect((await env.post('/v2/layouts/brand/duplicate', { name: 'Brand' })).body.layoutId).toBe('brand-2')
  })
})

test('lists by name, time and a part of the name, a page at a time', async () => {
  const env = await h.environment()
  for (const id of ['b', 'c', 'a']) await make(env, id)
  await env.put('/v2/layouts/b', { name: 'b%', isDefault: true })
  const ids = async (query: string) => {
    const { body } = await env.get(`/v2/layouts?${query}`)
    return `${body.layouts.map((it: { layoutId: string }) => it.layoutId).join('')} ${body.totalCount}`
  }
  expect(await ids('')).toBe('acb 3')
  expect(await ids('orderBy=name&orderDirection=ASC')).toBe('abc 3')
  expect(await ids('orderBy=name&orderDirection=DESC&limit=1&offset=1')).toBe('b 3')
  expect(await ids('orderBy=updatedAt&limit=1')).toBe('b 3')
  expect(await ids('query=b%25')).toBe('b 1')
  expect(await ids('offset=3')).toBe(' 3')
  for (const bad of ['limit=0', 'limit=101', 'offset=-1', 'orderBy=x', 'orderDirection=up']) {
    expect((await env.get(`/v2/layouts?${bad}`)).status, bad).toBe(422)
  }
})

describe('preview', () => {
  test('what is saved, with a sample; what is not saved, and what is wrong with it', async () => {
    const env = await h.environment()
    await make(env, 'brand', html('<b>{{subscriber.firstName}}</b>{{content}}'))
    const shown = await env.post('/v2/layouts/brand/preview', {})
    expect(shown.body.result.preview.body).toBe('<b>Ada</b><p>Here stands the body of each e-mail.</p>')
    expect(shown.body.result.preview.text).toContain('Here stands')
    const email = { body: '<i>{{payload.x}}</i>{{content}}', editorType: 'html' }
    const previewPayload = { payload: { x: '<&' } }
    const other = await env.post('/v2/layouts/brand/preview', {
      controlValues: { email },
      content: 'C',
      previewPayload,
    })
    expect(other.body.result).toEqual({
      type: 'email',
      preview: { body: '<i>&lt;&amp;</i>C', text: '<&C' },
      errors: [],
    })
    const wrong = await env.post('/v2/layouts/brand/preview', { controlValues: { email: { body: 'x' } } })
    expect(wrong.body.result).toMatchObject({ preview: { body: '' }, errors: [{ field: 'controlValues.email.body' }] })
    const bad = await env.post('/v2/layouts/brand/preview', { content: '{% if %}' })
    expect(bad.body.result.errors).toEqual([
      { field: 'content', message: expect.stringContaining('not a valid template') },
    ])
  })

  test('hostile control values are no fault of ours', async () => {
    const env = await h.environment()
    await make(env, 'brand')
    for (const email of [
      7,
      [],
      null,
      { body: 7 },
      { body: { type: 'doc' } },
      { body: '{"type":', editorType: 'block' },
    ]) {
      const reply = await env.post('/v2/layouts/brand/preview', { controlValues: { email } })
      expect(reply.status).toBe(201)
      const saved = await env.put('/v2/layouts/brand', { name: 'b', controlValues: { email } })
      expect([200, 422]).toContain(saved.status)
    }
  })
})
