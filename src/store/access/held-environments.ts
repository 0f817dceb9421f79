import { EnvironmentHeld, type HeldEnvironment } from '../../errors.ts'

// SQLSTATEs of enter_environment.
const heldStates = /^TD(421|503)$/

/** The refusal of enter_environment as what it says; any other error as it is. */
export function toEnvironmentHeld(environmentId: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !heldStates.test(String(error.code))) return error
  const told = 'detail' in error && typeof error.detail === 'string' ? error.detail : '{}'
  // Written by enter_environment.
  return new EnvironmentHeld(environmentId, JSON.parse(told) as HeldEnvironment)
}

/** What this node knows of environments that are not active. They are few, mostly none: one look tells of all. */
export type HeldEnvironments = {
  /** Null: it is active. */
  find(environmentId: string): Promise<HeldEnvironment | null>
  /** Throws when it may not be read: it is frozen, arriving or departed. */
  refuse(environmentId: string): Promise<void>
  /** Reads, and throws when it may not be read, at the beginning or any more: who waits for a connection waits long. */
  reading<T>(environmentId: string, read: () => Promise<T>): Promise<T>
}

// The mover keeps an environment frozen for twice as long before it departs, so nobody reads what is no longer true.
const rememberMs = 250

export function rememberHeld(look: () => Promise<Map<string, HeldEnvironment>>): HeldEnvironments {
  let known: { held: Promise<Map<string, HeldEnvironment>>; at: number } | undefined

  function all(): Promise<Map<string, HeldEnvironment>> {
    const now = performance.now()
    // Its age counts from before the look.
    if (known && now - known.at < rememberMs) return known.held
    const mine = { held: look(), at: now }
    known = mine
    mine.held.catch(() => {
      if (known === mine) known = undefined
    })
    return mine.held
  }

  const find = async (environmentId: string) => (await all()).get(environmentId) ?? null
  const refuse = async (environmentId: string) => {
    const held = await find(environmentId)
    if (held && held.state !== 'draining') throw new EnvironmentHeld(environmentId, held)
  }
  return {
    find,
    refuse,
    async reading(environmentId, read) {
      const begun = performance.now()
      await refuse(environmentId)
      const found = await read()
      // With what is remembered this is half a second since the look, as long as a freeze lasts at least.
      if (performance.now() - begun > rememberMs) await refuse(environmentId)
      return found
    },
  }
}
