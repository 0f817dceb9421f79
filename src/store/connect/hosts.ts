import pg from 'pg'
import { createSeeker, type Place, type Seeker } from './seek-primary.ts'

type Target = { connectionString: string; Client?: typeof pg.Client }

const seekers = new Map<string, Seeker>()

/**
 * How pg reaches the database of this URL. It may name several hosts (`postgres://user@one:5432,two:5432/name`): then
 * every connection is made to the one that is the primary at that moment.
 */
export function targetOf(url: string): Target {
  const places = readPlaces(url)
  if (places.length < 2) return { connectionString: url }
  const connectionString = withHost(url, places[0]?.text ?? '')
  const seeker = seekers.get(url) ?? createSeeker(connectionString, places)
  seekers.set(url, seeker)
  return { connectionString, Client: clientOfPrimary(seeker) }
}

/** A connection of its own, outside of any pool. */
export function newClient(url: string, options: pg.ClientConfig): pg.Client {
  const { connectionString, Client = pg.Client } = targetOf(url)
  return new Client({ ...options, connectionString })
}

/** What was known of the primary may be wrong: the next connection looks again. */
export function forgetPrimary(url: string): void {
  seekers.get(url)?.forget()
}

/** The hosts that a URL names, with their ports. */
export function hostsOf(url: string): string[] {
  return readPlaces(url).map(({ text }) => text)
}

const defaultPort = 5432
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

function readPlaces(url: string): (Place & { text: string })[] {
  const hosts = parts.exec(url)?.[2] ?? ''
  return hosts.split(',').map((text) => {
    const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
    return { text, host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? defaultPort) }
  })
}

function withHost(url: string, host: string): string {
  return url.replace(parts, (_all, start: string, _hosts, rest: string) => start + host + rest)
}

/** It dials the primary, whatever host it was given. */
function clientOfPrimary(seeker: Seeker): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const dialled = this.#dial()
      if (!callback) return dialled
      // pg hands nothing over when it went well.
      dialled.then(() => (callback as () => void)(), callback)
      return undefined
    }

    async #dial(): Promise<pg.Client> {
      const { host, port } = await seeker.find()
      Object.assign(this, { host, port })
      try {
        return await super.connect()
      } catch (error) {
        seeker.forget()
        throw error
      }
    }
  }
}
