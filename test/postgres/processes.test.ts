import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openLine } from '../../chaos/simulators/tcp-line.ts'
import { isRunning, ownsPort, signalAll } from './processes.ts'

const undo: (() => unknown)[] = []
afterEach(() => {
  for (const it of undo.splice(0)) it()
})

/** Says hello to whoever comes. Answers its port. */
async function startGreeter(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end('hello'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  undo.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe.runIf(process.platform === 'linux')('who is cut off', () => {
  test('is known by the port that a connection comes from', async () => {
    const socket = connect(await startGreeter(), '127.0.0.1').on('error', () => {})
    undo.push(() => socket.destroy())
    await once(socket, 'connect')
    expect(ownsPort(process.pid, socket.localPort ?? 0)).toBe(true)
    expect(ownsPort(process.ppid, socket.localPort ?? 0)).toBe(false)
  })

  test('is not answered by a line that admits others', async () => {
    let isCutOff = true
    const line = await openLine(await startGreeter(), { admits: (port) => !(isCutOff && ownsPort(process.pid, port)) })
    undo.push(line.close)
    const ask = async () => {
      const socket = connect(line.port, '127.0.0.1').on('error', () => {})
      undo.push(() => socket.destroy())
      const told = once(socket, 'data').then(([data]) => String(data), String)
      return Promise.race([told, new Promise((resolve) => setTimeout(resolve, 500, 'nothing'))])
    }
    expect(await ask()).toBe('nothing')
    isCutOff = false
    await expect.poll(ask).toBe('hello')
  })

  test('kill -9 takes the children along', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [told] = await once(parent.stdout, 'data')
    const child = Number(String(told))
    expect(isRunning(child)).toBe(true)
    signalAll(parent.pid ?? 0, 'SIGKILL')
    await expect.poll(() => isRunning(child)).toBe(false)
  })
})
