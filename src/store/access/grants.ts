/** What a person is in an organization, or in one of its environments. */
export const roles = ['owner', 'admin', 'author', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What a key may do. */
export const scopes = ['everything', 'trigger', 'read', 'inbox'] as const
export type Scope = (typeof scopes)[number]

export type Grant = Role | Scope

/** What somebody may do; null: nothing. */
export type Grants = {
  /** In the organization, and in each of its environments that is not named. */
  everywhere: Grant | null
  /** By the id of an environment. */
  in: Readonly<Record<string, Grant | null>>
}

export const ownerGrants: Grants = { everywhere: 'owner', in: {} }

/** Who acts, as the record of changes names them. */
export type Actor = {
  type: (typeof actorTypes)[number]
  /** Of a person, a key, or a session that a link opened; the words of a command. */
  id: string
  name: string
  /** Where the request came from. */
  address?: string | undefined
  agent?: string | undefined
  requestId?: string | undefined
}
/** `service`: nobody asked for it; the rules did it. */
export const actorTypes = ['person', 'key', 'link', 'command', 'service'] as const
