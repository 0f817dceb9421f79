import { TidingsError } from '../tidings-error.ts'

type Opened<S> = { session: S; openedAt: number; worked: boolean }

export type Session<S> = {
  /** Opens it, unless that was done. */
  get(): Promise<S>
  /** Calls with the token. When a token ends, a new session is opened, once for all calls that wait. */
  use<T>(call: (token: string) => Promise<T>): Promise<T>
}

// A token that is refused as soon as it is made would be refused again.
const youngMs = 5_000

/** One session for all calls. `isOwn`: it can be opened again. */
export function keepSession<S extends { token: string }>(open: () => Promise<S>, isOwn: boolean): Session<S> {
  let current: Promise<Opened<S>> | undefined

  function opened(): Promise<Opened<S>> {
    if (current) return current
    const opening = open().then((session) => ({ session, openedAt: Date.now(), worked: false }))
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
    })
    return opening
  }

  async function callWith<T>(own: Opened<S>, call: (token: string) => Promise<T>): Promise<T> {
    const result = await call(own.session.token)
    own.worked = true
    return result
  }

  return {
    get: async () => (await opened()).session,
    async use(call) {
      const opening = opened()
      const own = await opening
      try {
        return await callWith(own, call)
      } catch (error) {
        // A session of somebody who was deleted would make them anew.
        const isOver = error instanceof TidingsError && error.status === 401 && error.code !== 'person_deleted'
        const isWorthIt = own.worked || Date.now() - own.openedAt > youngMs
        if (!isOwn || !isOver || !isWorthIt) throw error
        if (current === opening) current = undefined
        return callWith(await opened(), call)
      }
    },
  }
}
