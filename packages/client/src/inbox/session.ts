import { TidingsError } from '../tidings-error.ts'

type Opened<S> = { session: S; openedAt: number; worked: boolean }

export type Session<S> = {
  /** Returns the session, and opens it first if necessary. */
  get(): Promise<S>
  /** Calls `call` with the token. When the token has ended, opens one new session for all waiting calls. */
  use<T>(call: (token: string) => Promise<T>): Promise<T>
}

// A token that is refused right after it was made would be refused again.
const newForMs = 5_000

/** Keeps one session for all calls. `canReopen` says whether `open` can open another one. */
export function keepSession<S extends { token: string }>(open: () => Promise<S>, canReopen: boolean): Session<S> {
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
        // A new session of a deleted person would create that person again.
        const isRefused = error instanceof TidingsError && error.status === 401 && error.code !== 'person_deleted'
        const isNew = !own.worked && Date.now() - own.openedAt <= newForMs
        if (!canReopen || !isRefused || isNew) throw error
        if (current === opening) current = undefined
        return callWith(await opened(), call)
      }
    },
  }
}
