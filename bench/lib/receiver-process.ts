import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import type { Heard, ReceiverMessage, ReceiverRequest } from '../receiver.ts'

export type Receiver = {
  port: number
  url: string
  setAnswer(answerMs: number): void
  /** Different events since the last `heard`. */
  count(): Promise<number>
  /** Since the last time somebody asked. */
  heard(): Promise<Heard>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, '../receiver.ts'))
  const stop = whenOver(async () => {
    if (child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  const reply = async () => ((await once(child, 'message')) as [ReceiverMessage])[0]
  const ask = async (what: ReceiverRequest) => {
    const answer = reply()
    child.send(what)
    return answer
  }
  const first = await reply()
  const port = 'port' in first ? first.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    setAnswer: (answerMs) => child.send({ answerMs } satisfies ReceiverRequest),
    async count() {
      const answer = await ask('count')
      return 'events' in answer ? answer.events : 0
    },
    async heard() {
      const answer = await ask('heard')
      if (!('heard' in answer)) throw new Error('a receiver that was asked tells')
      return answer.heard
    },
    stop,
  }
}
