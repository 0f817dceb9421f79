import type { LiveEvent } from './live-json.ts'

/** How one kind of client speaks over its socket. */
export type Speech = {
  /** Said as soon as the socket is open. */
  greeting: string | undefined
  /** The token, if the address holds it and nothing else has to be said first. */
  token: string | undefined
  hear(text: string): { token?: string; reply?: string; leaves?: boolean }
  accept(id: string): string
  /** The client does not come again. */
  refuse(message: string): string
  /** The same, after it was accepted. */
  dismiss: string
  event(event: LiveEvent): string
  /** Undefined: the socket's own ping is enough. */
  ping: string | undefined
}

/** By the address; null: nobody listens there. */
export function speechOf(url: string): Speech | null {
  if (!URL.canParse(url, 'http://socket')) return null
  const { pathname, searchParams } = new URL(url, 'http://socket')
  const token = searchParams.get('token') ?? ''
  if (/\/socket\.io\/?$/.test(pathname)) {
    return searchParams.get('EIO') === '4' && searchParams.get('transport') === 'websocket' ? socketIo(token) : null
  }
  return pathname === '/' && token !== '' ? plain(token) : null
}

// Engine.IO 4: 0 open, 2 ping, 3 pong, 4 message. Socket.IO 5 within a message: 0 connect, 1 disconnect, 2 event,
// 4 connect error; each may name a namespace, which is what a path in the client's address becomes.
const open = JSON.stringify({ sid: '', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 8_192 })
const connect = /^40(\/[^,]{0,200},)?(\{.*\})?$/s

function socketIo(token: string): Speech {
  let namespace = ''
  return {
    greeting: `0${open.replace('"sid":""', `"sid":"${Math.random().toString(36).slice(2)}"`)}`,
    token: undefined,
    hear(text) {
      if (text === '2') return { reply: '3' }
      if (text.startsWith('41')) return { leaves: true }
      const match = connect.exec(text)
      if (!match) return {}
      namespace = match[1] ?? ''
      return { token: tokenOf(match[2]) ?? token }
    },
    accept: (id) => `40${namespace}${JSON.stringify({ sid: id })}`,
    refuse: (message) => `44${namespace}${JSON.stringify({ message })}`,
    get dismiss() {
      return `41${namespace}`
    },
    event: ({ name, data }) => `42${namespace}${JSON.stringify([name, data])}`,
    ping: '2',
  }
}

/** Who sets `socketOptions.auth` sends it with the first packet. */
function tokenOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    const { token } = JSON.parse(text)
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}

function plain(token: string): Speech {
  return {
    greeting: undefined,
    token,
    hear: (text) => (text === 'ping' ? { reply: 'pong' } : {}),
    accept: () => JSON.stringify({ event: 'connected', data: {} }),
    refuse: (message) => JSON.stringify({ event: 'refused', data: { message } }),
    dismiss: JSON.stringify({ event: 'refused', data: { message: 'The token is no longer valid.' } }),
    event: ({ name, data }) => JSON.stringify({ event: name, data }),
    ping: undefined,
  }
}
