/**
 * npm run measure-memory: one trigger to a large topic, expanded by a real worker process on a database of its own, and
 * what that process keeps resident meanwhile, second by second, with V8's own account of it. `--node-options` sets flags.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { admin } from '../test/find-postgres.ts'
import { type Program, withProgram } from './with-program.ts'

const { values } = parseArgs({
  options: { members: { type: 'string', default: '100000' }, 'node-options': { type: 'string', default: '' } },
})
const account = `setInterval(() => { globalThis.gc?.(); const m = process.memoryUsage(); const mb = (n) => Math.round(n / 1048576);
  process.stdout.write('memory rss ' + mb(m.rss) + ' heapTotal ' + mb(m.heapTotal) + ' heapUsed ' + mb(m.heapUsed) +
  ' external ' + mb(m.external) + ' arrayBuffers ' + mb(m.arrayBuffers) + '\\n') }, 2000).unref()`
const nodeOptions = [
  ...values['node-options'].split(' ').filter(Boolean),
  '--import',
  `data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread){${encodeURIComponent(account)}}`,
]

await withProgram(
  'memory',
  async (program) => {
    const headers = { authorization: `ApiKey ${program.key}`, 'content-type': 'application/json' }
    const post = (path: string, body: unknown) =>
      fetch(program.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }]
    await post('/v2/workflows', { workflowId: 'memory', name: 'memory', steps })
    await post('/v2/topics', { key: 'all' })
    await admin(program.databaseUrl, (client) => measure(program, client, post))
  },
  nodeOptions,
)

async function measure(
  { child, output }: Program,
  client: pg.Client,
  post: (path: string, body: unknown) => Promise<Response>,
): Promise<void> {
  await client.query(
    `insert into subscriber (environment_id, id, subscriber_id, first_name, updated_at)
     select e.id, gen_random_uuid(), 'm-' || n, 'Member ' || n, now()
     from (select id from environment order by id limit 1) e, generate_series(1, $1::int) n`,
    [Number(values.members)],
  )
  await client.query(`insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
    select s.environment_id, t.id, gen_random_uuid(), s.id from subscriber s join topic t using (environment_id)`)
  await client.query('analyze subscriber, topic_subscription')
  const said = output().length
  const began = performance.now()
  await post('/v1/events/trigger', { name: 'memory', to: { type: 'Topic', topicKey: 'all' } })
  const resident: number[] = []
  for (let state = 'accepted'; state === 'accepted'; await sleep(500)) {
    const { rows } = await client.query('select state, notified_count from event')
    state = rows[0]?.state ?? 'accepted'
    resident.push(
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024),
    )
  }
  const seconds = (performance.now() - began) / 1000
  console.log(output().slice(said).trim())
  const every = Math.ceil(resident.length / 20)
  console.log(`resident MB over the run: ${resident.filter((_, n) => n % every === 0).join(' ')}`)
  console.log(
    `${values.members} members in ${seconds.toFixed(1)} s, ${Math.round(Number(values.members) / seconds)}/s, at most ${Math.max(...resident)} MB`,
  )
}
