import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { newestVersion, pinnedVersion, time } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** Translations through the published client: it judges every reply by schemas of its own. */
const h = useHarness({ VENDOR_NAMES: 'novu' })

const resource = { resourceId: 'order', resourceType: 'workflow' as const }
const file = (fileName: string, content: unknown) => ({
  fileName,
  content: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
})

describe('@novu/api, the newest', () => {
  const { open, operations } = newestVersion
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    const client = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    const steps = [{ name: 'Bell', type: 'in_app' as const, controlValues: { body: '{{t.title}} {{t.more}}' } }]
    await client.workflows.create({ workflowId: 'order', name: 'Order', isTranslationEnabled: true, steps })
    return { env, client: client.translations, workflows: client.workflows }
  }

  test('one language: create, change, retrieve, delete', async () => {
    const { client, workflows } = await start()
    const result = await client.create({ ...resource, locale: 'de_AT', content: { title: 'Servus' } })
    expect(result).toEqual({
      ...resource,
      locale: 'de_AT',
      content: { title: 'Servus' },
      createdAt: time,
      updatedAt: time,
    })
    await client.create({ ...resource, locale: 'de-AT', content: { title: 'Grüß Gott', nested: { a: 'b' } } })
    const read = await client.retrieve({ ...resource, locale: 'de_AT' })
    expect(read.content).toEqual({ title: 'Grüß Gott', nested: { a: 'b' } })
    expect((await workflows.get('order')).result.isTranslationEnabled).toBe(true)
    await client.delete({ ...resource, locale: 'de_AT' })
    await expect(client.retrieve({ ...resource, locale: 'de_AT' })).rejects.toMatchObject({ statusCode: 404 })
  })

  test('a group: its languages, those that lack something, and its end', async () => {
    const { client } = await start()
    await client.create({ ...resource, locale: 'en_US', content: { title: 'T', more: 'M' } })
    await client.create({ ...resource, locale: 'de', content: { title: 'T' } })
    const result = await client.groups.retrieve('workflow', 'order')
    expect(result).toEqual({
      ...resource,
      resourceName: 'Order',
      locales: ['de', 'en_US'],
      outdatedLocales: ['de'],
      createdAt: time,
      updatedAt: time,
    })
    await client.groups.delete('workflow', 'order')
    await expect(client.groups.retrieve('workflow', 'order')).rejects.toMatchObject({ statusCode: 404 })
  })

  test('files of several languages, each by its own result', async () => {
    const { client } = await start()
    const files = [
      file('en_US.json', { title: 'Hello' }),
      file('fr-FR.json', { title: 'Bonjour «é»' }),
      file('nonsense.json', {}),
      file('de.json', '{'),
      file('it.json', { title: '{' }),
    ]
    const result = await client.upload({ ...resource, files })
    expect(result).toMatchObject({ totalFiles: 5, successfulUploads: 2, failedUploads: 3 })
    expect(result.errors.map((it: string) => it.split(':')[0])).toEqual(['nonsense.json', 'de.json', 'it.json'])
    const french = await client.retrieve({ ...resource, locale: 'fr_FR' })
    expect(french.content).toEqual({ title: 'Bonjour «é»' })
  })

  test('the master file: export, import, upload', async () => {
    const { client } = await start()
    await client.create({ ...resource, locale: 'en_US', content: { title: 'Hello' } })
    const exported = await client.master.retrieve('en_US')
    expect(exported).toEqual({ workflows: { order: { title: 'Hello' } }, layouts: {} })
    expect(await client.master.retrieve()).toEqual(exported)
    const masterJson = { workflows: { order: { title: 'Hallo' }, nobody: {} }, layouts: { none: {} } }
    const result = await client.master.import({ locale: 'de', masterJson })
    expect(result).toMatchObject({ success: false, successful: ['order'] })
    expect(result.failed?.map((it: string) => it.split(':')[0])).toEqual(['nobody', 'none'])
    const uploaded = await client.master.upload({ file: file('it_IT.json', exported) })
    expect(uploaded).toMatchObject({ success: true, successful: ['order'] })
    expect(await client.master.retrieve('it_IT')).toEqual(exported)
    const bad = client.master.upload({ file: file('it_IT.json', '{') })
    await expect(bad).rejects.toMatchObject({ statusCode: 422 })
  })

  test('a form that cannot be read is refused, and other routes take none', async () => {
    const { env } = await start()
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const send = (path: string, raw: string) => env.send('POST', path, { raw, headers: type })
    expect((await send('/v2/translations/upload', '--y\r\nnonsense')).status).toBe(400)
    expect((await send('/v2/translations/upload', '--x--\r\n')).status).toBe(422)
    expect((await send('/v2/translations', '--x--\r\n')).status).toBe(415)
    const many = `${'--x\r\ncontent-disposition: form-data; name="files"; filename="de.json"\r\n\r\n{}\r\n'.repeat(5000)}--x--\r\n`
    expect((await send('/v2/translations/upload', many)).status).toBe(422)
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-translations.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})

/** Its own schemas drop the words, and it sends no file: it reads what there is, and deletes it. */
describe('@novu/api 1.8.0', () => {
  const { open, operations } = pinnedVersion
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  test('what it can do', async () => {
    const env = await h.environment()
    const { translations, workflows } = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    const steps = [{ name: 'Bell', type: 'in_app' as const, controlValues: { body: '{{t.title}}' } }]
    await workflows.create({ workflowId: 'order', name: 'Order', isTranslationEnabled: true, steps })
    const made = await translations.create({ ...resource, locale: 'de_AT', content: {} })
    expect(made).toMatchObject({ ...resource, locale: 'de_AT', createdAt: time })
    expect(await translations.retrieve({ ...resource, locale: 'de_AT' })).toEqual(made)
    expect(await translations.groups.retrieve('workflow', 'order')).toMatchObject({ locales: ['de_AT'] })
    expect(await translations.master.retrieve('de_AT')).toMatchObject({ layouts: {} })
    await env.post('/v2/translations', { ...resource, locale: 'en_US', content: { title: 'T' } })
    await translations.master.import({ locale: 'de_AT', masterJson: { workflows: {}, layouts: {} } })
    await translations.delete({ ...resource, locale: 'de_AT' })
    await translations.groups.delete('workflow', 'order')
    const left = ['translations.master.upload', 'translations.upload']
    expect(notCalled('client-translations.test.ts', { operations, routes: h.routes, succeeded })).toEqual(left)
  })
})
