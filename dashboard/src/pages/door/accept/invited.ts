import type { Offered } from '../sign-in/continue-with.tsx'

/** An invitation as whoever holds its token sees it. */
export type Invited = {
  token: string
  email: string
  organization: { name: string }
  isKnown: boolean
  connections: readonly Offered[]
}
