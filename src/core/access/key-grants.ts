import type { Reach } from '../../store/access/api-keys.ts'
import { type Grants, ownerGrants, type Scope } from '../../store/access/grants.ts'

type KeyAccess = { environmentId: string; reach: Reach; scope: Scope }

/** What a key may do, and who signed in with it. */
export function grantsOfKey({ environmentId, reach, scope }: KeyAccess): Grants {
  return reach === 'organization' ? { everywhere: scope, in: {} } : { everywhere: null, in: { [environmentId]: scope } }
}

/** A sign-in link is handed to whoever runs the service. */
export const grantsOfLink = ownerGrants
