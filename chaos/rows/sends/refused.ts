import { until } from '../../lib/outside-stage.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkAccounts } from './accounts.ts'
import { act, broadcast, expectStill, killWorker, openStage, untilShown } from './stage.ts'

/**
 * A broadcast whose provider begins to refuse. It begins with one in a hundred, is let go on, stops by itself before
 * three in a hundred are lost, is let go on again and comes to its end, with workers that die by kill -9 in between.
 */
export async function refusedInTheMiddle(world: World): Promise<string> {
  const [people, refusesAfter] = world.small ? [20_000, 1_000] : [100_000, 2_000]
  const mostLost = people * 0.03
  const stage = await openStage(world, people, { canaryFrom: 1_000, canaryAtLeast: 100, failuresPercent: 5 })
  stage.provider.refusesAfter = refusesAfter
  const id = await broadcast(stage)
  const first = await untilShown(
    stage,
    id,
    (it) => it.state === 'waiting',
    60_000,
    ({ people: { written } }) => (written > people / 100 ? 'more than the first one in a hundred were written' : null),
  )
  expectEqual(first.people.written, people / 100, 'people it begins with')
  expectEqual(stage.ledger.count('mails'), people / 100, 'requests for them')
  await killWorker(stage, 0)
  await expectStill(stage, 1_000, 'while it waits for a person')
  await act(stage, id, 'resume')
  const beforeKill = people / 100 + Math.floor((refusesAfter - people / 100) / 2)
  await until(() => stage.ledger.count('mails') >= beforeKill, 60_000, `request ${beforeKill}`)
  await killWorker(stage, 1)
  const lost = ({ messages: { failed, dead } }: { messages: { failed: number; dead: number } }) => failed + dead
  const stopped = await untilShown(
    stage,
    id,
    (it) => it.state === 'paused',
    120_000,
    (it) => (lost(it) >= mostLost ? `it did not stop by itself: ${lost(it)} are lost` : null),
  )
  expectEqual(stopped.reason, 'failures', 'why it stopped')
  // Tries whose worker died are decided when their time is over.
  await until(async () => (await underWay(world)) === 0, 90_000, 'no try is under way')
  const asked = await expectStill(stage, 3_000, 'while it stands still')
  const held = await untilShown(stage, id, () => true, 1_000)
  expectThat(lost(held) < mostLost, `${lost(held)} of ${people} are lost`)
  expectAtLeast(lost(held), 10, 'messages that were refused')
  await Promise.all([killWorker(stage, 0), killWorker(stage, 1)])
  await expectStill(stage, 2_000, 'while it stands still, with other workers')
  stage.provider.refusesAfter = Number.POSITIVE_INFINITY
  await act(stage, id, 'resume')
  await until(
    () => stage.ledger.count('mails') >= asked + people / 4,
    world.mutated ? 30_000 : 120_000,
    'a quarter more',
  )
  await killWorker(stage, 0)
  const done = await untilShown(stage, id, (it) => it.state === 'done', world.mutated ? 60_000 : 600_000)
  const accounts = await checkAccounts(stage, id, people)
  expectEqual(accounts.failed, lost(held), 'lost when it was over, and when it stopped')
  expectEqual(accounts.sent + accounts.failed + accounts.unknown, people, 'people with an end')
  return `${people} people: ${first.people.written} first, then all until the provider refused after ${refusesAfter}: stopped by itself with ${lost(stopped)} lost (${lost(held)} with those under way, ${((lost(held) * 100) / people).toFixed(2)} %): "${stopped.reasonText}"; 5 × kill -9, resumed; ${done.messages.sent} sent, ${accounts.failed} refused, ${accounts.unknown} unknown; ${accounts.unanswered} tries whose worker died`
}

async function underWay(world: World): Promise<number> {
  const [row] = await world.sql<{ n: number }>('select count(*)::int as n from message where in_flight')
  return row?.n ?? 0
}
