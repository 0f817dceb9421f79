import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused, time, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client, unchanged but for its server: it validates every reply against its own schemas. */
const h = useHarness({ VENDOR_NAMES: 'novu' })

const body = JSON.stringify({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Acme' }] },
    { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'content', label: null, fallback: null } }] },
  ],
})

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function client() {
    const env = await h.environment()
    return open({ serverURL: h.url, secretKey: env.key, onSuccess })
  }

  test('creates, gets, lists, updates, previews, duplicates and deletes a layout', async () => {
    const { layouts } = await client()
    const { result: made } = await layouts.create({ layoutId: 'brand', name: 'Brand' })
    expect(made).toMatchObject({
      layoutId: 'brand',
      slug: 'brand',
      name: 'Brand',
      isDefault: false,
      isTranslationEnabled: false,
      origin: 'novu-cloud',
      type: 'REGULAR',
      createdAt: time,
      updatedAt: time,
      controls: { values: { email: { editorType: 'block' } } },
    })
    expect((await layouts.retrieve('brand')).result).toEqual(made)
    expect((await layouts.retrieve(made.id)).result).toEqual(made)

    const { result: updated } = await layouts.update(
      { name: 'Brand 2', isTranslationEnabled: true, controlValues: { email: { body, editorType: 'block' } } },
      'brand',
    )
    expect(updated).toMatchObject({ id: made.id, name: 'Brand 2', isTranslationEnabled: true })
    expect(updated.controls.values.email).toEqual({ body, editorType: 'block' })

    const { result: shown } = await layouts.generatePreview(
      { previewPayload: { subscriber: { firstName: 'Ada' } } },
      'brand',
    )
    expect(shown.result.type).toBe('email')
    expect(shown.result.preview?.body).toMatch(/Acme.*Here stands the body/s)
    expect(shown.previewPayloadExample.subscriber?.firstName).toBe('Ada')

    const { result: copy } = await layouts.duplicate({ name: 'Brand copy' }, 'brand')
    expect(copy).toMatchObject({ layoutId: 'brand-copy', name: 'Brand copy', isDefault: false })
    expect(copy.controls.values.email?.body).toBe(body)

    const { result: list } = await layouts.list({
      limit: 10,
      offset: 0,
      orderBy: 'name',
      orderDirection: 'ASC',
      query: 'Brand',
    })
    expect(list.totalCount).toBe(2)
    expect(list.layouts.map(({ layoutId }) => layoutId)).toEqual(['brand', 'brand-copy'])
    expect(list.layouts[0]).toEqual(updated)

    await layouts.delete('brand-copy')
    await refused(layouts.retrieve('brand-copy'), errors.ErrorDto, 'layout_not_found')
  })

  test('a workflow names one; usage, and what is refused', async () => {
    const { layouts, workflows } = await client()
    await layouts.create({ layoutId: 'brand', name: 'Brand' })
    const mail = (layoutId: string | null) => ({
      name: 'Mail',
      type: 'email' as const,
      controlValues: { subject: 'S', body: '<p>B</p>', editorType: 'html' as const, layoutId },
    })
    const { result: made } = await workflows.create({ workflowId: 'w', name: 'W', steps: [mail('brand'), mail(null)] })
    expect(made.steps.map((step) => (step.controlValues as { layoutId: unknown }).layoutId)).toEqual(['brand', null])
    expect((await layouts.usage('brand')).result).toEqual({ workflows: [{ name: 'W', workflowId: 'w' }] })
    await refused(layouts.delete('brand'), errors.ErrorDto, 'layout_in_use')
    await refused(layouts.create({ layoutId: 'brand', name: 'Again' }), errors.ErrorDto, 'layout_exists')
    const wrong = await refused(
      workflows.create({ workflowId: 'x', name: 'X', steps: [mail('gone')] }),
      errors.ValidationErrorDto,
      'validation_failed',
    )
    expect(wrong.body).toContain('steps.0.controlValues.layoutId')
    const noSlot = { name: 'Brand', controlValues: { email: { body: '<p>A</p>', editorType: 'html' as const } } }
    await refused(layouts.update(noSlot, 'brand'), errors.ValidationErrorDto, 'validation_failed')
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-layouts.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
