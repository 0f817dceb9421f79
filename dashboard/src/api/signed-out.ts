const listeners = new Set<() => void>()

/** Called whenever a request finds that nobody is signed in any more. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Nobody is signed in any more. */
export function signedOut(): void {
  for (const listener of listeners) listener()
}
