/**
 * A name server on loopback that answers as it is told, and the other half, which is loaded before the program
 * (`usingDns` below) and sends its questions there. The program's own resolver, guard and sockets are what is tested;
 * only the address of the name server is another.
 */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { pathToFileURL } from 'node:url'
import { whenOver } from '../lib/clean-up.ts'

export type FakeDns = {
  port: number
  /** Questions asked, by name. */
  asked: Map<string, number>
}

/** Addresses for the n-th time (0, 1, …) that this name is asked for, of the family asked for. */
export type Answer = (time: number) => readonly string[]

export async function startFakeDns(zone: ReadonlyMap<string, Answer>): Promise<FakeDns> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const time = asked.get(`${name} ${type}`) ?? 0
    asked.set(`${name} ${type}`, time + 1)
    const all = zone.get(name)?.(time) ?? []
    const records = all.filter((ip) => ip.includes(':') === (type === typeAaaa)).map((ip) => toRecord(ip, type))
    const isKnown = zone.has(name)
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  whenOver(() => socket.close())
  return { port: socket.address().port, asked }
}

const typeAaaa = 28

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** The name is the question's, and it is valid for no time at all: the next look-up asks again. */
function toRecord(ip: string, type: number): Buffer {
  const data = ip.includes(':') ? toSixteen(ip) : Buffer.from(ip.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function toSixteen(ip: string): Buffer {
  const [left = '', right = ''] = ip.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [before, after] = [groups(left), groups(right)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const bytes = [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return Buffer.from(bytes)
}

/** Settings of a node that asks this name server. */
export function usingDns({ port }: FakeDns): Record<string, string> {
  return { CHAOS_DNS_PORT: String(port), NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}` }
}

const given = process.env.CHAOS_DNS_PORT
if (given) {
  const servers = [`127.0.0.1:${given}`]
  for (const method of ['resolve4', 'resolve6'] as const) {
    const original = Resolver.prototype[method] as (this: Resolver, name: string) => Promise<string[]>
    const replaced = function (this: Resolver, name: string) {
      if (this.getServers()[0] !== servers[0]) this.setServers(servers)
      return original.call(this, name)
    }
    Object.defineProperty(Resolver.prototype, method, { value: replaced })
  }
}
