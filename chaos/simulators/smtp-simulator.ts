import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { readHeaders } from '../../test/peers/smtp-receiver.ts'
import { whenOver } from '../lib/clean-up.ts'
import type { Ledger } from './ledger.ts'

/** What a mail server does after the final dot. Only what it took stands in the ledger as accepted. */
export type SmtpAction =
  | { kind: 'ok'; delayMs?: number }
  | { kind: 'accept then reset' }
  | { kind: 'hang' }
  | { kind: 'refuse'; code: number }

export type SmtpCall = { id: string; before: number; index: number }

/** A mail server knows no keys: whatever it takes is delivered, as often as it comes. */
export async function startSmtpSimulator(
  ledger: Ledger,
  route: string,
  script: (call: SmtpCall) => SmtpAction,
  // A run of hours has no room for every id; its script is told that each came never before.
  { remembers = true }: { remembers?: boolean } = {},
): Promise<{ port: number; close(): Promise<void> }> {
  const seen = new Map<string, number>()
  const sockets = new Set<Socket>()
  let index = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const headers = new Map(readHeaders(Buffer.concat(chunks).toString('utf8')))
        const id = (headers.get('Message-ID') ?? '').replace(/^<|@.*$/g, '')
        const before = seen.get(id) ?? 0
        if (remembers) seen.set(id, before + 1)
        const action = script({ id, before, index: index++ })
        const accepted = action.kind !== 'refuse'
        const said = action.kind === 'refuse' ? String(action.code) : action.kind
        const about = headers.get('Subject') ?? ''
        ledger.append({ at: Date.now(), route, id, about, action: said, accepted, effect: accepted })
        switch (action.kind) {
          case 'ok':
            setTimeout(done, action.delayMs ?? 0)
            return
          case 'refuse':
            done(Object.assign(new Error('scripted'), { responseCode: action.code }))
            return
          case 'accept then reset':
            for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.resetAndDestroy()
            return
          case 'hang':
            return
        }
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = whenOver(async () => {
    for (const connection of server.connections) connection._socket.destroy()
    for (let waits = 0; sockets.size > 0 && waits < 100; waits++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { port: (server.server.address() as AddressInfo).port, close }
}
