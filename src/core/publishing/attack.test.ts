import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import {
  contentOf,
  doneBy,
  mail,
  makePlaces,
  placeOf,
  saveLayout,
  saveWords,
  saveWorkflow,
} from '../../../test/publishing/places.ts'
import { inTransaction } from '../../store/database.ts'

const h = useHarness()

const sms = (stepId: string, body: string) => ({ stepId, name: stepId, type: 'sms', controlValues: { body } })

type Shop = Awaited<ReturnType<typeof makePlaces>>
const manifests = async (id: string) => {
  const { rows } = await sql<{ before: unknown; after: unknown; from: number | null; to: number | null }>`
    select workflows_before as before, workflows_after as after, edition_before as from, edition_after as to
    from publication where environment_id = ${id} order by id`.execute(h.admin)
  return rows
}

/** Until `work` ends, somebody changes the target by hand, and is not through yet. */
async function whileHeld<T>({ prod }: Pick<Shop, 'prod'>, work: (backends: () => Promise<number[]>) => Promise<T>) {
  return inTransaction(h.admin, async (trx) => {
    await sql`select 1 from environment where id = ${prod.id} for share`.execute(trx)
    return work(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%from environment%for no key update%'`.execute(h.admin)
      return rows.map(({ pid }) => pid)
    })
  })
}

describe('at the same time', () => {
  test('publications to one target come one after the other: each begins where the one before ended', async () => {
    const shop = await makePlaces(h)
    const { env, dev, prod } = shop
    const other = placeOf(env, (await env.post('/v1/environments', { name: 'Other', color: '#000000' })).body._id)
    for (const [name, place] of [
      ['one', dev],
      ['two', other],
    ] as const) {
      await saveLayout(place, `layout-${name}`, '{{content}}', { isDefault: true })
      await saveWorkflow(place, name, [mail('a', name)])
      await saveWorkflow(place, 'both', [sms('a', name)])
    }
    const sources = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? dev.id : other.id))
    const replies = await Promise.all(sources.map((sourceEnvironmentId) => shop.publish({ sourceEnvironmentId })))
    for (const reply of replies) expect(reply.status, reply.text).toBe(200)
    const rows = await manifests(prod.id)
    expect(rows.length).toBeGreaterThanOrEqual(2)
    for (const [index, { before, from }] of rows.entries()) {
      if (index > 0) expect({ before, from }).toEqual({ before: rows[index - 1]?.after, from: rows[index - 1]?.to })
    }
    const { layouts } = (await prod.get('/v2/layouts')).body
    expect(layouts.filter((it: Json) => it.isDefault)).toHaveLength(1)
  })

  test('with the same fingerprint one is done, the others are told to look again', async () => {
    const { dev, prod, publish, diff } = await makePlaces(h)
    await saveWorkflow(dev, 'order', [sms('a', 'A')])
    const { fingerprint } = (await diff()).body
    const replies = await Promise.all(Array.from({ length: 8 }, () => publish({ fingerprint })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(await manifests(prod.id)).toHaveLength(1)
  })

  test('with people who change source and target by hand: no faults, and nothing is lost', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveWorkflow(dev, 'order', [sms('a', '0')])
    let isOver = false
    const until = async (work: (n: number) => Promise<Json>) => {
      let n = 1
      for (; !isOver; n++) {
        const reply = await work(n)
        expect(reply.status, reply.text).toBeLessThan(300)
      }
      return n
    }
    const step = (text: string) => ({ name: 'Order', steps: [sms('a', text)] })
    await publish()
    const work = [
      until((n) => dev.put('/v2/workflows/order', step(`dev ${n}`))),
      until((n) => prod.put('/v2/workflows/order', step(`prod ${n}`))),
      until((n) =>
        prod
          .post('/v2/layouts', { layoutId: `own-${n}`, name: 'Own' })
          .then((reply: Json) => (reply.status === 409 ? prod.get('/v2/layouts') : reply)),
      ),
      until((n) => prod.patch('/v2/workflows/order', { active: n % 2 === 0 })),
    ]
    for (let n = 0; n < 20; n++) expect((await publish()).status).toBe(200)
    isOver = true
    const counts = await Promise.all(work)
    for (const count of counts) expect(count).toBeGreaterThan(5)
    const { rows } = await sql<{ versions: number; newest: number }>`
      select count(*)::int as versions, max(v.version) as newest from workflow w join workflow_version v
        on v.environment_id = w.environment_id and v.workflow_id = w.id where w.environment_id = ${prod.id}`.execute(
      h.admin,
    )
    expect(rows[0]?.versions).toBe(rows[0]?.newest)
    await publish()
    expect((await contentOf(prod)).workflows).toEqual((await contentOf(dev)).workflows)
  })

  test('who protects or deletes the target waits for it, and then holds', async () => {
    const shop = await makePlaces(h)
    const { env, dev, prod, publish } = shop
    await saveWorkflow(dev, 'order', [sms('a', 'A')])
    const { published, isProtected } = await whileHeld(shop, async (waiting) => {
      const published = publish()
      await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(1)
      // It is deleted only when nobody writes: this one says so soon.
      expect((await env.delete(`/v1/environments/${prod.id}`)).body.code).toBe('environment_busy')
      return { published, isProtected: env.put(`/v1/environments/${prod.id}`, { protected: true }) }
    })
    expect((await isProtected).status).toBe(200)
    expect(doneBy(await published)).toEqual(['created workflow order'])
  })
})

test('killed in the middle: nothing of it is there, and the same request again does it', async () => {
  const shop = await makePlaces(h)
  const { env, dev, prod } = shop
  await saveWorkflow(dev, 'order', [sms('a', 'A')])
  await saveWords(dev, 'workflow', 'order', 'de', { a: 'b' })
  const publish = () => env.post(`/v2/environments/${prod.id}/publish`, {}, { 'idempotency-key': 'publish-it' })
  const lost = await whileHeld(shop, async (waiting) => {
    const call = publish()
    await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(1)
    await sql`select pg_terminate_backend(${(await waiting())[0]})`.execute(h.admin)
    return [call]
  }).then(([call]) => call)
  expect([200, 503]).toContain(lost?.status)
  if (lost?.status === 503) expect((await prod.get('/v2/workflows')).body.totalCount).toBe(0)
  const done = await publish()
  expect(done.status).toBe(200)
  expect(doneBy(done)).toHaveLength(2)
  expect(await manifests(prod.id)).toHaveLength(1)
})

describe('limits', () => {
  test('a hundred layouts, and what is deleted makes room', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    for (let n = 0; n < 99; n++) await saveLayout(prod, `own-${n}`, '{{content}}')
    await saveLayout(dev, 'a', '{{content}}')
    await saveLayout(dev, 'b', '{{content}}')
    expect((await publish()).body.code).toBe('too_many_layouts')
    expect((await prod.get('/v2/layouts')).body.totalCount).toBe(99)
    const one = await publish({ resources: [{ resourceType: 'layout', resourceId: 'a' }] })
    expect(doneBy(one)).toEqual(['created layout a'])
    const both = ['b', 'own-0'].map((resourceId) => ({ resourceType: 'layout', resourceId }))
    expect(doneBy(await publish({ resources: both }))).toEqual(['created layout b', 'deleted layout own-0'])
  })

  test('fifty languages of a workflow', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    for (const place of [dev, prod]) await saveWorkflow(place, 'order', [sms('a', 'A')])
    const locales = (first: number) =>
      ['de', 'fr']
        .flatMap((language) =>
          ['AT', 'CH', 'BE', 'LU', 'FR', 'DE', 'IT', 'US', 'GB', 'CA', 'ES', 'PT', 'NL'].map(
            (region) => `${language}-${region}`,
          ),
        )
        .slice(first, first + 26)
    for (const locale of locales(0)) await saveWords(dev, 'workflow', 'order', locale, { a: 'b' })
    for (const locale of locales(0))
      await saveWords(prod, 'workflow', 'order', locale.replace('de', 'it').replace('fr', 'es'), { a: 'b' })
    const refused = await publish()
    expect(refused.body.errors.resources.messages[0]).toContain('52 languages')
    await prod.delete('/v2/translations/workflow/order/it-AT')
    await prod.delete('/v2/translations/workflow/order/it-CH')
    expect(doneBy(await publish())).toHaveLength(26)
  })
})

describe('odd names and contents', () => {
  test('arrive as they are', async () => {
    const { dev, prod, publish, diff } = await makePlaces(h)
    const names = [
      'a/b',
      'workflows/a/de',
      '..',
      'ünï 😀',
      'a'.repeat(255),
      "'; drop table workflow; --",
      'constructor',
    ]
    for (const name of names) {
      const made = await dev.post('/v2/workflows', { workflowId: name, name, steps: [sms('constructor', name)] })
      expect(made.status, made.text).toBe(201)
      await saveWords(dev, 'workflow', name, 'de', { constructor: 'own', hasOwnProperty: name })
    }
    expect(doneBy(await publish())).toHaveLength(2 * names.length)
    await saveWords(dev, 'workflow', 'a/b', 'de', { toString: 'new', hasOwnProperty: 'a/b' })
    const { resources } = (await diff()).body
    expect(resources).toMatchObject([
      {
        resourceId: 'workflows/a/b/de',
        changes: [
          { path: 'constructor', action: 'deleted', before: 'own' },
          { path: 'toString', action: 'added', after: 'new' },
        ],
      },
    ])
    expect((await publish()).status).toBe(200)
    expect((await contentOf(prod)).workflows).toEqual((await contentOf(dev)).workflows)
  })

  test('secrets of integrations are nowhere in a diff', async () => {
    const { dev, diff } = await makePlaces(h)
    const credentials = { apiKey: 'canary-secret-key', from: 'a@example.com', senderName: 'A' }
    await dev.post('/v1/integrations', { providerId: 'sendgrid', channel: 'email', active: true, credentials })
    await saveWorkflow(dev, 'order', [mail('a', 'A')])
    const shown = await diff()
    expect(shown.text).not.toContain('canary')
    expect(shown.body.resources[0].warnings).toEqual(['no active e-mail integration in the target'])
  })
})
