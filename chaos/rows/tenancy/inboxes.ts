import type { Route } from '../../../src/http/load-routes.ts'
import { openInbox } from '../../../test/client/inbox-session.ts'
import type { Fixture } from '../../../test/fixture-makers.ts'
import type { Client } from '../../../test/harness.ts'
import { fixtures } from '../../../test/route-fixtures.ts'
import { clientOf, sendPatiently } from '../../lib/http.ts'
import { inParallel } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectThat } from '../../lib/red.ts'
import { rowsOf, untilStill } from '../../lib/tenant-rows.ts'
import { checkNothingShown, type Planted, type TenancyStage } from './stage.ts'

type Asker = { token: string; who: string; mayKnow: boolean }

/** Every inbox operation with tokens of others: a person beside the owner's, and the same id in other environments. */
export async function everyInbox(stage: TenancyStage): Promise<string> {
  const { world, routes, owner, nodes } = stage
  const ofInbox = routes.filter((route) => route.kind === 'inbox')
  const faults = collectFaults()
  const person = owner.ids.subscriberId ?? ''
  let asked = 0
  for (const node of world.small ? nodes.slice(0, 1) : nodes) {
    const home = clientOf(node.url, owner.tenant)
    const own = await openInbox(home, person)
    await own.send('POST', `/topics/${owner.ids.topicKey}/subscriptions`, {
      identifier: 'mine',
      name: secretsOf(owner)[0],
    })
    const askers: Asker[] = [{ token: (await openInbox(home, 'beside')).token, who: 'beside', mayKnow: true }]
    // Strangers of its own: joining makes topics that are named by the owner's ids, which others look for.
    for (const tenant of [await world.tenant({ organizationId: owner.tenant.organizationId }), await world.tenant()]) {
      const client = clientOf(node.url, tenant)
      askers.push({ token: (await openOnceSealed(client, person)).token, who: 'a namesake', mayKnow: false })
    }
    const calls: { route: Route; body: unknown }[] = []
    for (const route of ofInbox) {
      const { body } = await (fixtures[route.name] as Fixture).arrange(home)
      calls.push({ route, body })
    }
    await untilStill(world, owner.tenant.environmentId)
    const before = await rowsOf(world, owner.tenant.environmentId)
    for (const { route, body } of calls) {
      const ids = [...Object.values(owner.ids), 'mine']
      const holes = route.path.match(/\{\w+\}/g) ?? []
      const paths = holes.length === 0 ? [route.path] : ids.flatMap((id) => fillings(route.path, holes, id, owner))
      for (const { token, who, mayKnow } of askers) {
        await inParallel(paths, 6, async (path) => {
          const headers = { authorization: `Bearer ${token}` }
          const reply = await sendPatiently(node.url, route.method, path, { body, headers })
          const what = `${route.name} by ${who}: ${path}`
          if (reply.status >= 500) faults.add(`${what} → ${reply.status} ${reply.text}`)
          checkNothingShown(reply, what, mayKnow ? secretsOf(owner) : owner.secrets, faults)
          asked++
        })
      }
    }
    const after = await rowsOf(world, owner.tenant.environmentId)
    for (const [table, rows] of Object.entries(before)) {
      const left = new Set(after[table])
      for (const row of rows) if (!left.has(row)) faults.add(`${table} changed by another's token: ${row}`)
    }
    const mine = await own.send('GET', `/topics/${owner.ids.topicKey}/subscriptions/mine`)
    expectThat(mine.status === 200, 'the owner still has the subscription')
  }
  faults.end()
  expectAtLeast(asked, world.small ? 300 : 1_000, 'requests')
  return `${ofInbox.length} inbox operations × every id of the owner × 3 tokens of others: ${asked} requests, nothing shown, nothing changed`
}

/** The id in each hole, and in the last alone behind what the path belongs to. */
function fillings(path: string, holes: readonly string[], id: string, { ids }: Planted): string[] {
  const everywhere = holes.reduce((filled, hole) => filled.replace(hole, encodeURIComponent(id)), path)
  if (holes.length < 2) return [everywhere]
  const first = path.includes('{topicKey}') ? (ids.topicKey ?? '') : 'mine'
  return [everywhere, path.replace(holes[0] ?? '', first).replace(holes[1] ?? '', encodeURIComponent(id))]
}

/** Of the person alone: workflows and topics have names that everybody in the environment may know. */
function secretsOf({ secrets, ids }: Planted): string[] {
  const [tag = ''] = secrets
  const texts = ['text', 'first', 'last', '@example.com', 'token'].map((end) => `${tag}${end}`)
  return [...texts, ids['message _id'] ?? '', ids['notification _id'] ?? '', ids['subscriber _id'] ?? '']
}

/** The key of a tenant made past the API is kept sealed from its first use on, a moment later. */
async function openOnceSealed(client: Client, person: string) {
  for (let tries = 0; ; tries++) {
    const opened = await openInbox(client, person).catch((error: unknown) => {
      if (tries >= 5) throw error
    })
    if (opened) return opened
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
