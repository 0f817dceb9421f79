const listeners = new Set<() => void>()

/** Called whenever a request finds that nobody is signed in any more, or gets into this environment no longer. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let isOver = false

/** Whether a session was open on this page and ended from elsewhere. */
export const endedElsewhere = (): boolean => isOver

/** To be said by whoever finds it out. */
export function signedOut(): void {
  isOver = true
  for (const listener of listeners) listener()
}
