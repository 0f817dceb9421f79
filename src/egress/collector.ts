import { isIP } from 'node:net'
import type { Guard } from './address-guard.ts'
import { createHttp } from './http.ts'

export type Collector = {
  /** Returns whether the collector took it. */
  send(body: object): Promise<boolean>
  close(): Promise<void>
}

const sendMs = 5_000

/**
 * The operator's own collector of traces. Its address comes from a setting and is mostly private, which the common
 * guard refuses. So it has a guard of its own that allows this one URL; nothing from tenants uses it.
 */
export function createCollector(url: string, headers: Readonly<Record<string, string>>): Collector {
  const http = createHttp(onlyTo(url), { totalMs: sendMs })
  return {
    async send(body) {
      const answer = await http({ url, headers, json: body })
      return answer.kind === 'reply' && answer.status >= 200 && answer.status < 300
    },
    close: http.close,
  }
}

function onlyTo(url: string): Guard {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const ownPort = Number(port) || (protocol === 'https:' ? 443 : 80)
  const refused = 'This door leads to the collector of traces alone.'
  return {
    allowsAddress: (ip) => isIP(ip.split('%')[0] ?? '') !== 0,
    refuseUrl: (text) => (text === url ? null : refused),
    refuseHost: (name) => (name === host || name === hostname ? null : refused),
    refusePort: (number) => (number === ownPort ? null : refused),
  }
}
