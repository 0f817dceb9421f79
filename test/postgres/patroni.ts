import { join } from 'node:path'
import { patient } from '../../chaos/lib/patience.ts'
import type { Values } from '../../scripts/deploy/templates.ts'
import { run, type User } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { start, until } from './children.ts'
import { missingPackages, names, type Options, writeFiles } from './patroni-files.ts'
import { type Made, makeMember, type PatroniMember } from './patroni-member.ts'
import { makePlace } from './place.ts'

export type ClusterState = { leader: string | null; synchronous: string[]; standbys: string[] }
export type WholeCluster = ClusterState & { leader: string }

export type PatroniCluster = {
  home: string
  user: User
  members: readonly PatroniMember[]
  member(name: string): PatroniMember
  /** What the files of deploy/ were filled in with, without what differs between the members. */
  values: Values
  /** Through HAProxy, as the superuser. */
  adminUrl: string
  /** All members, in the words of DATABASE_URL: who is given this finds the primary by himself. */
  hosts: string
  /** As most of those see it that are not cut off. */
  state(): Promise<ClusterState>
  /** Answers the name of the leader once it is another one than `old`. */
  untilOtherLeader(old: string): Promise<string>
  /** A leader, to which HAProxy leads, and two standbys that follow it, one of them synchronous. */
  untilWhole(): Promise<WholeCluster>
  switchover(from: string, to: string): Promise<void>
  /** `patronictl remove`: what etcd knows of the cluster is forgotten, so that a restored member can begin anew. */
  forget(): Promise<void>
  stop(): Promise<void>
}

const wholeWithinMs = 180_000
const etcdWithinMs = 60_000
// One that stands still does not answer.
const askWithinMs = 2_000

/** deploy/patroni on this machine: three members, each with its etcd, and HAProxy. It needs Linux. */
export async function startPatroni(options: Options = {}): Promise<PatroniCluster> {
  const missing = missingPackages()
  if (missing) throw new Error(missing)
  const place = await makePlace('patroni')
  const { home, user } = place
  const { values, nodes, haproxy } = await writeFiles(place, options)
  const etcds = nodes.map(({ folder, etcd }) => start(user, 'etcd', ['--config-file', etcd], join(folder, 'etcd.log')))
  for (const { address } of nodes) await untilDecided(address)
  for (const { patroni } of nodes) await run(user, 'patroni', ['--validate-config', patroni])
  await run({}, 'haproxy', ['-c', '-f', haproxy])
  const members: Made[] = []
  const surroundings = {
    user,
    etcds: nodes.map(({ address }) => address),
    cuttable: options.cuttable ?? false,
    isCutOff: (port: number) => members.some((it) => it.isIsolated() && it.owns(port)),
  }
  for (const node of nodes) members.push(await makeMember(node, surroundings))
  const door = start(user, 'haproxy', ['-db', '-f', haproxy], join(home, 'haproxy.log'))
  for (const member of members) member.start()

  const find = (name: string): Made => {
    const found = members.find((it) => it.name === name)
    if (!found) throw new Error(`there is no member ${name}`)
    return found
  }
  const adminUrl = `postgres://postgres:${values.SUPERUSER_PASSWORD}@${values.HAPROXY_ADDRESS}:5000/postgres`
  const state = () => readState(members.filter((it) => !it.isIsolated()))
  const wait = <T>(what: string, ask: () => Promise<T | null>): Promise<T> =>
    until(what, patient(wholeWithinMs), ask).catch((error: unknown) => {
      const logs = members.map((it) => it.log().split('\n').slice(-6).join('\n')).join('\n')
      throw new Error(`${error}\n${logs}`)
    })
  const untilWhole = () =>
    wait('a leader and two standbys', async () => {
      const { leader, standbys, synchronous } = await state()
      if (!leader || standbys.length < names.length - 1) return null
      if (options.synchronous !== false && synchronous.length === 0) return null
      const [row] = await ask<{ address: string }>(adminUrl, 'select host(inet_server_addr()) as address')
      return row?.address === find(leader).address ? { leader, standbys, synchronous } : null
    })
  const cluster: PatroniCluster = {
    home,
    user,
    members,
    member: find,
    values,
    adminUrl,
    hosts: members.map(({ address }) => `${address}:5432`).join(','),
    state,
    untilWhole,
    untilOtherLeader: (old) =>
      wait(`a leader instead of ${old}`, async () => {
        const { leader } = await state()
        return leader === old ? null : leader
      }),
    async switchover(from, to) {
      const login = Buffer.from(`patroni:${values.REST_PASSWORD}`).toString('base64')
      const reply = await fetch(`http://${find(from).address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${login}` },
        body: JSON.stringify({ leader: from, candidate: to }),
      })
      if (reply.status !== 200) throw new Error(`the switchover: ${reply.status} ${await reply.text()}`)
    },
    async forget() {
      const answers = 'tidings\nYes I am aware\n'
      const [node] = nodes
      const remove = ['-c', `printf '%s' "$1" | patronictl -c "$0" remove tidings`, node?.patroni ?? '', answers]
      // It is refused while the lock of a leader has not run out.
      await until('patronictl remove', 60_000, () => run({}, 'sh', remove))
    },
    async stop() {
      await Promise.all(members.map((it) => it.stop()))
      await Promise.all([door, ...etcds].map((it) => it.kill('SIGKILL')))
      await place.remove()
    },
  }
  await untilWhole()
  return cluster
}

/** A Patroni that asks before the etcds agree on a version ends; in production systemd starts it again. */
function untilDecided(address: string): Promise<boolean> {
  return until(`etcd at ${address}`, patient(etcdWithinMs), async () => {
    const reply = await fetch(`http://${address}:2379/version`, { signal: AbortSignal.timeout(askWithinMs) })
    const { etcdcluster } = (await reply.json()) as { etcdcluster?: string }
    return /^\d/.test(etcdcluster ?? '')
  })
}

type Described = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

/** What one of them last read in etcd. That may be old, so each is asked itself whether it runs as what it is there. */
async function readState(members: readonly PatroniMember[]): Promise<ClusterState> {
  const ask = async (name: string, path: string) => {
    const address = members.find((it) => it.name === name)?.address
    if (!address) return { isUp: false, members: [] }
    const reply = await fetch(`http://${address}:8008${path}`, { signal: AbortSignal.timeout(askWithinMs) }).catch(
      () => null,
    )
    const body = (await reply?.json().catch(() => null)) as { members?: Described[] } | null
    return { isUp: reply?.status === 200, members: body?.members ?? [] }
  }
  const replies = await Promise.all(members.map(({ name }) => ask(name, '/cluster')))
  const all = replies.find((reply) => reply.members.length > 0)?.members ?? []
  const runs = await Promise.all(
    all.map(async (it) => {
      const isLeader = it.role === 'leader'
      const { isUp } = await ask(it.name, isLeader ? '/primary' : '/replica')
      return { ...it, isLeader, isUp }
    }),
  )
  const timeline = runs.find(({ isLeader }) => isLeader)?.timeline
  const up = runs.filter(({ isUp }) => isUp)
  const standbys = up.filter((it) => !it.isLeader && it.timeline === timeline && it.lag !== 'unknown')
  return {
    leader: up.find(({ isLeader }) => isLeader)?.name ?? null,
    synchronous: up.filter(({ role }) => role === 'sync_standby').map(({ name }) => name),
    standbys: standbys.map(({ name }) => name),
  }
}

export async function ask<Row>(url: string, text: string, given: unknown[] = []): Promise<Row[]> {
  return admin(url, async (client) => (await client.query(text, given)).rows as Row[])
}
