import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { runProgram } from '../../src/commands/cli/run-program.ts'
import type { Client, Json } from '../harness.ts'
import { nothing, type Recorded, type Replay, startReplay } from './recorded.ts'

/** The import of a recorded service into one of ours, of which everything is taken away after each test. */
export function useImports(ourUrl: () => string) {
  const clear: (() => unknown)[] = []
  afterEach(async () => {
    for (const it of clear.splice(0)) await it()
  })

  async function replay(recorded: Partial<Recorded>, options?: Parameters<typeof startReplay>[1]): Promise<Replay> {
    const started = await startReplay({ ...nothing, ...recorded }, options)
    clear.push(started.close)
    return started
  }

  function makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-import-'))
    clear.push(() => rmSync(folder, { recursive: true }))
    return folder
  }

  /** Any other server, by its address. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    clear.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${Object(server.address()).port}`
  }

  /** `left`: the lines of the file of what was left out; `why`: of one thing. An option that is given again is the one that counts. */
  async function run(from: { url: string; key?: string }, to: Pick<Client, 'key'>, ...args: string[]) {
    const said: string[] = []
    const places = ['--url', from.url, '--key', from.key ?? 'old-key', '--to', ourUrl(), '--to-key', to.key]
    const state = args.includes('--state') ? [] : ['--state', makeFolder()]
    const noSettings = () => {
      throw new Error('with a URL no settings of the service are read')
    }
    const code = await runProgram(['import', '--from-novu', ...places, ...state, ...args], {
      settings: noSettings,
      print: (it) => said.push(it),
    })
    const file = said.map((it) => /^Each one is a line of (.*)$/.exec(it)?.[1]).find((it) => it !== undefined)
    const lines = file ? readFileSync(file, 'utf8').trim().split('\n') : []
    const left = lines.map((line): Json => JSON.parse(line))
    const why = (name: string) => left.filter((it) => it.name === name).map((it) => String(it.why))
    return { code, said, text: said.join('\n'), last: said.at(-1), left, why }
  }

  return { replay, makeFolder, serve, run }
}
