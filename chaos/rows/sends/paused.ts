import { until } from '../../lib/outside-stage.ts'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkAccounts } from './accounts.ts'
import { act, broadcast, expectStill, killWorker, openStage, untilShown } from './stage.ts'

/** People pause a send again and again while workers die; at last they cancel it, paused. Nothing begins while it stands. */
export async function pausedAgainAndAgain(world: World): Promise<string> {
  const [people, pauses] = world.small ? [3_000, 3] : [20_000, 6]
  const stage = await openStage(world, people, {})
  const id = await broadcast(stage)
  const stood: number[] = []
  for (let round = 1; round <= pauses; round++) {
    const enough = Math.floor((people * 0.7 * round) / (pauses + 1))
    await until(() => stage.ledger.count('mails') >= enough, 60_000, `request ${enough}`)
    if (round % 2 === 0) await killWorker(stage, round % 2)
    const shown = await act(stage, id, 'pause')
    expectEqual(shown.state, 'paused', 'the state that was answered')
    stood.push(await expectStill(stage, 1_500, 'after a pause was answered'))
    if (round % 2 === 1) await killWorker(stage, round % 2)
    await act(stage, id, 'resume')
  }
  const enough = (stood.at(-1) ?? 0) + 50
  await until(() => stage.ledger.count('mails') >= enough, 60_000, `request ${enough}`)
  await act(stage, id, 'pause')
  await act(stage, id, 'cancel')
  await expectStill(stage, 1_500, 'after a cancel was answered')
  await untilShown(stage, id, ({ state, messages }) => state === 'canceled' && messages.waiting === 0, 120_000)
  const accounts = await checkAccounts(stage, id, people)
  expectAtLeast(accounts.canceled, 1, 'messages taken back')
  return `${people} people, ${pauses} pauses at ${stood.join(', ')} requests with a kill -9 each, then canceled: ${accounts.sent} sent, ${accounts.canceled} taken back, ${people - accounts.sent - accounts.canceled - accounts.unknown} not reached, ${accounts.unknown} unknown, nothing begun while it stood`
}
