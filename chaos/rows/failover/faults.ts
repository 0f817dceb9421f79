import { setTimeout as sleep } from 'node:timers/promises'
import type { PatroniCluster } from '../../../test/postgres/patroni.ts'

/** What is done to a cluster that is whole; answers how it is undone. */
export type Fault = { name: string; strike(cluster: PatroniCluster): Promise<Struck> }

export type Struck = {
  /** When another one was the leader; null: it stayed. */
  leaderAt: number | null
  undo(): void
}

async function leaderOf(cluster: PatroniCluster): Promise<{ leader: string; standby: string }> {
  const { leader, synchronous, standbys } = await cluster.untilWhole()
  return { leader: leader ?? '', standby: synchronous[0] ?? standbys[0] ?? '' }
}

async function untilOther(cluster: PatroniCluster, leader: string): Promise<number> {
  await cluster.untilOtherLeader(leader)
  return performance.now()
}

export const kill: Fault = {
  name: 'primary killed',
  async strike(cluster) {
    const { leader } = await leaderOf(cluster)
    const member = cluster.member(leader)
    await member.kill()
    return { leaderAt: await untilOther(cluster, leader), undo: member.start }
  },
}

export const switchover: Fault = {
  name: 'switchover',
  async strike(cluster) {
    const { leader, standby } = await leaderOf(cluster)
    await cluster.switchover(leader, standby)
    return { leaderAt: await untilOther(cluster, leader), undo: () => {} }
  },
}

/** The synchronous one: strict as it is, the primary has to wait until Patroni names the other one. */
export const standbyGone: Fault = {
  name: 'standby killed',
  async strike(cluster) {
    const { standby } = await leaderOf(cluster)
    const member = cluster.member(standby)
    await member.kill()
    return { leaderAt: null, undo: member.start }
  },
}

/** As a machine that lost its power: its connections stand, and nobody answers. */
export const standbySilent: Fault = {
  name: 'standby silent',
  async strike(cluster) {
    const { standby } = await leaderOf(cluster)
    const member = cluster.member(standby)
    member.freeze()
    return { leaderAt: null, undo: member.thaw }
  },
}

// The old primary must have had the time to answer somebody wrongly.
const longerMs = 5_000

/** The primary goes on, seen by its clients, and by nobody else. */
export const cut: Fault = {
  name: 'primary cut off',
  async strike(cluster) {
    const { leader } = await leaderOf(cluster)
    const member = cluster.member(leader)
    member.isolate()
    const leaderAt = await untilOther(cluster, leader)
    await sleep(longerMs)
    return { leaderAt, undo: member.heal }
  },
}
