import type { Route } from '../../../src/http/load-routes.ts'
import type { Reach } from '../../../src/store/access/api-keys.ts'
import type { Fixture } from '../../../test/fixture-makers.ts'
import type { Client } from '../../../test/harness.ts'
import { fixtures } from '../../../test/route-fixtures.ts'
import { clientOf, type Tenant } from '../../lib/http.ts'
import { inParallel } from '../../lib/parallel.ts'
import type { ApiNode } from '../../lib/process.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import {
  expectRowsInEvery,
  expectSameRows,
  organizationRowsOf,
  partitionNames,
  rowsOf,
  untilStill,
} from '../../lib/tenant-rows.ts'
import { checkNothingShown, isOpenTo, type TenancyStage } from './stage.ts'

type Stranger = { client: Client; reach: Reach }
type Covered = { route: Route; fixture: Fixture }
type Case = { stranger: Client; method: string; path: string; body: unknown; wanted: number | 'anything'; what: string }

/** Every operation, called by strangers with every id there is: unknown, nothing shown, nothing done. */
export async function everyOperation(stage: TenancyStage): Promise<string> {
  const { world, routes, owner, nodes } = stage
  const uncovered = routes.filter((route) => !fixtures[route.name]).map((route) => route.name)
  expectEqual(uncovered, [], 'routes without a fixture in test/fixtures')
  // Routes without a key belong to no environment, and a stream does not end; test/route-contract.ts checks them.
  const covered = routes.flatMap((route) =>
    route.kind === 'key' && fixtures[route.name] ? [{ route, fixture: fixtures[route.name] as Fixture }] : [],
  )

  const faults = collectFaults()
  let asked = 0
  for (const node of world.small ? nodes.slice(0, 1) : nodes) {
    const home = clientOf(node.url, owner.tenant)
    const own: { covered: Covered; path: string; body: unknown }[] = []
    for (const it of covered) own.push({ covered: it, ...{ body: undefined }, ...(await it.fixture.arrange(home)) })
    const cases: Case[] = []
    for (const kind of kindsOfStrangers(owner.tenant)) {
      // A route that makes what it does not find would spoil the others' 404: it gets strangers of its own.
      const [stranger, maker] = [strangerOf(node, await world.tenant(kind)), strangerOf(node, await world.tenant(kind))]
      for (const { covered: it, path, body } of own) {
        const asker = it.fixture.foreign === 'made' ? maker : stranger
        cases.push(...strangeCalls(it, asker, { path, body }, owner.ids))
      }
      for (const it of covered) cases.push(...(await mixedCalls(it, stranger, owner.ids)))
    }
    await untilStill(world, owner.tenant.environmentId)
    const ofOrganization = () => organizationRowsOf(world, owner.tenant.organizationId)
    const [before, ofAll] = [await rowsOf(world, owner.tenant.environmentId), await ofOrganization()]
    expectRowsInEvery(before, await partitionNames(world))
    expectAtLeast(ofAll.member?.length ?? 0, 1, 'members of the owner')
    await inParallel(cases, 6, async ({ stranger, method, path, body, wanted, what }) => {
      const reply = await stranger.send(method, path, { body })
      if (reply.status >= 500) faults.add(`${what} → ${reply.status} ${reply.text}`)
      else if (wanted !== 'anything' && reply.status !== wanted)
        faults.add(`${what} → ${reply.status}, not ${wanted}: ${reply.text}`)
      checkNothingShown(reply, `${what} ${path} ${JSON.stringify(body)}`, owner.secrets, faults)
    })
    asked += cases.length
    expectSameRows(await rowsOf(world, owner.tenant.environmentId), before, "the owner's rows after strangers asked")
    expectSameRows(await ofOrganization(), ofAll, "the rows of the owner's organization after strangers asked")
    // The same calls by the owner: all of them would have done something. An earlier state comes last: much is not in it.
    const restores = ({ covered }: (typeof own)[number]) => covered.route.name === 'publications-restore'
    for (const { covered: it, path, body } of [...own.filter((call) => !restores(call)), ...own.filter(restores)]) {
      const reply = await home.send(it.route.method, path, { body })
      expectThat(
        // In production, as these nodes run, the development mailbox of the fixture sends nothing.
        (reply.status === (it.fixture.withoutVendor ?? it.route.status) &&
          !reply.text.includes('workflow_not_found')) ||
          reply.text.includes('integration_cannot_send') ||
          // What is to be revoked is the second key, and there is no third.
          (it.route.name === 'api-keys-create' && reply.text.includes('too_many_api_keys')),
        `${it.route.name} fails for its owner too: ${reply.status} ${reply.text}`,
      )
    }
  }
  faults.end()
  expectAtLeast(asked, world.small ? 300 : 1_000, 'requests')
  return `${covered.length} operations × ${Object.keys(owner.ids).length} kinds of ids × 2 strangers × ${nodes.length} walls: ${asked} requests, owner's rows untouched`
}

/** Somebody next door, somebody else, and somebody who may do everything, but in another organization. */
function kindsOfStrangers({ organizationId }: Tenant): { organizationId?: string; reach?: Reach }[] {
  return [{ organizationId }, {}, { reach: 'organization' }]
}

function strangerOf({ url }: ApiNode, tenant: Tenant): Stranger {
  return { client: clientOf(url, tenant), reach: tenant.reach }
}

/** The owner's own call, and the route with each of the owner's ids in its path. */
function strangeCalls(
  { route, fixture }: Covered,
  stranger: Stranger,
  call: { path: string; body: unknown },
  ids: Record<string, string>,
): Case[] {
  const hasIds = route.path.includes('{')
  const unknown = fixture.foreign === 'not found' ? 404 : route.status
  const reaches = fixture.needsReach && stranger.reach === 'organization'
  const wanted = reaches ? unknown : (fixture.foreignStatus ?? unknown)
  const base = { stranger: stranger.client, method: route.method, body: call.body }
  const exact = { ...base, path: call.path, wanted, what: `${route.name} as its owner calls it` }
  if (!hasIds) return [exact]
  const query = call.path.includes('?') ? call.path.slice(call.path.indexOf('?')) : ''
  const others = Object.entries(ids).map(([kind, id]) => ({
    ...base,
    path: route.path.replaceAll(/\{\w+\}/g, encodeURIComponent(id)) + query,
    wanted: fixture.foreign === 'not found' ? (isOpenTo(stranger, fixture) ? 404 : wanted) : ('anything' as const),
    what: `${route.name} with the owner's ${kind}`,
  }))
  return [exact, ...others]
}

/** Something of the stranger's own, joined with something of the owner's. */
async function mixedCalls(
  { route, fixture }: Covered,
  stranger: Stranger,
  ids: Record<string, string>,
): Promise<Case[]> {
  // A path that ends in a kind of button names nothing there.
  if ((route.path.match(/\{/g) ?? []).length < 2 || route.path.endsWith('{type}')) return []
  if (!isOpenTo(stranger, fixture)) return []
  const { path, body } = await fixture.arrange(stranger.client)
  const start = path.slice(0, path.lastIndexOf('/') + 1)
  return Object.entries(ids).map(([kind, id]) => ({
    stranger: stranger.client,
    method: route.method,
    path: start + encodeURIComponent(id),
    body,
    wanted: 404,
    what: `${route.name} of its own with the owner's ${kind}`,
  }))
}
