import { Resolver, lookup as systemLookup } from 'node:dns/promises'

/** Every address of a name. Rejects with the code of node:dns when there is none. */
export type Lookup = (name: string) => Promise<readonly string[]>

// RFC 8305: how long an IPv4 answer waits for the IPv6 one.
const secondAnswerMs = 50

/**
 * Asks the name servers directly. The system's resolver blocks one of node's four threads for as long as the name's
 * owner likes: a tenant with a few dead name servers would stop every look-up, file and hash of the process. It is
 * asked only for names the name servers do not know: /etc/hosts and the private network.
 */
export function createLookup(timeoutMs: number, servers: readonly string[] = []): Lookup {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (name) => {
    if (!name.includes('.')) return lookupBySystem(name)
    const six = toAnswer(resolver.resolve6(name))
    const four = await toAnswer(resolver.resolve4(name))
    const late = four.addresses.length === 0 ? six : Promise.race([six, none(secondAnswerMs)])
    const { addresses, code } = await late
    const all = [...addresses, ...four.addresses]
    if (all.length > 0) return all
    const isUnknown = [four.code, code].every((each) => each !== 'ETIMEOUT' && each !== 'ESERVFAIL')
    if (isUnknown) return lookupBySystem(name)
    throw Object.assign(new Error('no name server answered'), { code: 'ETIMEOUT' })
  }
}

type Answer = { addresses: readonly string[]; code?: string }

function toAnswer(answer: Promise<string[]>): Promise<Answer> {
  return answer.then(
    (addresses) => ({ addresses }),
    (error) => ({ addresses: [], code: String(error.code) }),
  )
}

function none(afterMs: number): Promise<Answer> {
  return new Promise((resolve) => setTimeout(resolve, afterMs, { addresses: [], code: 'ETIMEOUT' }).unref())
}

async function lookupBySystem(name: string): Promise<string[]> {
  const answers = await systemLookup(name, { all: true })
  return answers.map(({ address }) => address)
}
