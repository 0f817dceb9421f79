import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longestBlock } from '../../../test/event-loop.ts'
import { bestOfFive } from '../../../test/fastest.ts'
import { type Json, useHarness } from '../../../test/harness.ts'
import { apply, doneBy, mail, makePlaces, type Place } from '../../../test/publishing/places.ts'
import { rounds } from '../../../test/rounds.ts'

const h = useHarness()

const slow = { ...bestOfFive, timeout: 120_000 }

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

async function timed(work: () => Promise<Json>): Promise<{ reply: Json; ms: number; blockedMs: number }> {
  const began = performance.now()
  const { result: reply, blockedMs } = await longestBlock(work)
  return { reply, ms: performance.now() - began, blockedMs }
}

const paragraph = (text: string) => `<p>${text} {{subscriber.firstName}} ${'lorem ipsum '.repeat(20)}</p>\n`
// As large as a real mail: ten kilobytes.
const body = (text: string) => paragraph(text).repeat(36)

async function fill(dev: Place, count: number): Promise<void> {
  await apply(dev, [
    ...numbers(20).map((n) => ({
      layoutId: `layout-${n}`,
      name: `Layout ${n}`,
      controlValues: { email: { body: `<b>${n}</b>{{content}}`, editorType: 'html' } },
    })),
    ...numbers(count).map((n) =>
      workflow(`workflow-${n}`, [mail('mail', body('one'), { layoutId: `layout-${n % 20}` })]),
    ),
    ...numbers(count).map((n) => ({
      resourceType: 'workflow',
      resourceId: `workflow-${n}`,
      locale: 'de',
      content: { hello: `Hallo ${n}` },
    })),
  ])
}

const workflow = (workflowId: string, steps: object[]) => ({ workflowId, name: workflowId, steps })

/** Each of them once more, as if somebody had saved it with another text. */
async function changeAll(dev: Place): Promise<void> {
  await sql`
    with changed as (
      update workflow set version = version + 1 where environment_id = ${dev.id} returning id, version)
    insert into workflow_version (environment_id, workflow_id, version, definition, created_at)
    select v.environment_id, v.workflow_id, changed.version, replace(v.definition::text, 'one', 'two')::jsonb, now()
    from changed join workflow_version v
      on v.environment_id = ${dev.id} and v.workflow_id = changed.id and v.version = changed.version - 1`.execute(
    h.admin,
  )
}

test('500 workflows with their layouts and words: in less than 5 s, and nobody else waits', slow, async () => {
  const { dev, prod, publish, diff } = await makePlaces(h)
  await fill(dev, 500)
  const first = await timed(() => publish())
  expect(doneBy(first.reply)).toHaveLength(1_020)
  const again = await timed(() => publish())
  expect(doneBy(again.reply)).toHaveLength(0)
  await changeAll(dev)
  const shown = await timed(() => diff())
  expect(shown.reply.body.resources).toHaveLength(500)
  const second = await timed(() => publish({ fingerprint: shown.reply.body.fingerprint }))
  expect(doneBy(second.reply)).toHaveLength(500)
  const publications = (await prod.get('/v1/publications')).body.data
  const back = await timed(() => prod.post(`/v1/publications/${publications[1]._id}/restore`, {}))
  expect(doneBy(back.reply)).toHaveLength(500)
  for (const [name, { ms, blockedMs }] of Object.entries({ first, again, shown, second, back })) {
    console.log(`500 workflows, ${name}: ${ms.toFixed(0)} ms, longest block ${blockedMs.toFixed(0)} ms`)
  }
  for (const { ms, blockedMs } of [first, again, second, back]) {
    expect(ms).toBeLessThan(5_000)
    expect(blockedMs).toBeLessThan(250)
  }
  expect(shown.blockedMs).toBeLessThan(250)
  const { rows } = await sql<{ bytes: number }>`
    select max(pg_column_size(p.*)) as bytes from publication p where environment_id = ${prod.id}`.execute(h.admin)
  console.log(`the largest record of a publication: ${rows[0]?.bytes} bytes`)
  expect(rows[0]?.bytes).toBeLessThan(200_000)
})

test('large bodies that differ everywhere: shown and published, and nobody else waits', slow, async () => {
  const { dev, prod, publish, diff } = await makePlaces(h)
  const count = rounds({ quick: 4, full: 40 })
  // As large as a template may be, and ten of them: a workflow has 600 KB.
  const large = (line: string) => `${line}\n`.repeat(60_000 / (line.length + 1))
  const save = (text: (n: number) => string) =>
    apply(
      dev,
      numbers(count).map((n) =>
        workflow(
          `w-${n}`,
          numbers(10).map((at) => mail(`s${at}`, `${text(n)}${at}`)),
        ),
      ),
    )
  await save((n) => large(`a${n}`))
  const first = await timed(() => publish())
  expect(doneBy(first.reply)).toHaveLength(count)
  await save(() => large('b'))
  const shown = await timed(() => diff())
  expect(shown.reply.body.resources).toHaveLength(count)
  expect(shown.reply.text.length).toBeLessThan(3_000_000)
  expect(shown.reply.body.resources[0].changes[0].moreLines).toBeGreaterThan(10_000)
  const second = await timed(() => publish())
  expect(doneBy(second.reply)).toHaveLength(count)
  const { data } = (await prod.get('/v1/publications')).body
  const looked = await timed(() => prod.get(`/v1/publications/${data[0]._id}`))
  for (const [name, { ms, blockedMs }] of Object.entries({ first, shown, second, looked })) {
    console.log(`${count} × 600 KB, ${name}: ${ms.toFixed(0)} ms, longest block ${blockedMs.toFixed(0)} ms`)
    expect(blockedMs, name).toBeLessThan(250)
  }
})

test('more than fits into memory is refused before anything is written', slow, async () => {
  const { dev, prod, publish } = await makePlaces(h)
  const words = 'word '.repeat(11_000)
  const steps = numbers(16).map((at) => mail(`s${at}`, words))
  await apply(
    dev,
    numbers(80).map((n) => workflow(`w-${n}`, steps)),
  )
  const refused = await publish()
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { resources: { messages: [expect.stringContaining('MB')] } } },
  })
  expect((await prod.get('/v2/workflows')).body.totalCount).toBe(0)
  const parts = await publish({ resources: [{ resourceType: 'workflow', resourceId: 'w-1' }] })
  expect(doneBy(parts)).toEqual(['created workflow w-1'])
})
