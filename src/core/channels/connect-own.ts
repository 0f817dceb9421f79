import { ApiError } from '../../errors.ts'
import type { ConnectMode } from '../../providers/connect.ts'
import { getIntegrationByIdentifier } from '../integrations/save-integration.ts'
import { startConnect } from './connect.ts'
import { type ChosenContexts, type Person, refuseOthersName, refuseUnvouched, toViewer } from './own-channels.ts'
import type { Scope } from './save-endpoint.ts'

/** As the published clients send it. */
export type OwnConnect = {
  integrationIdentifier: string
  connectionIdentifier?: string
  subscriberId?: string
  mode: ConnectMode
  connectionMode?: 'subscriber' | 'shared'
  scope?: readonly string[] | undefined
  autoLinkUser?: boolean
}

/** For a browser: the person comes from its session, and touches nothing that is somebody else's. */
export async function connectOwn(
  scope: Scope,
  person: Person,
  contexts: ChosenContexts,
  asked: OwnConnect,
): Promise<{ url: string }> {
  const { ctx, db, env } = scope
  const { mode, connectionIdentifier } = asked
  refuseOthersName(person, asked.subscriberId)
  const isShared = mode === 'connect' && asked.connectionMode === 'shared'
  if (isShared && !(contexts.areProven && contexts.keys.length > 0)) {
    throw new ApiError('vouching_needed', { message: notForEverybody })
  }
  const integration = await getIntegrationByIdentifier(db, env, asked.integrationIdentifier)
  refuseUnvouched(ctx, integration, person)
  const linksPerson = mode === 'link' || (asked.autoLinkUser ?? !isShared)
  const contextKeys = [...new Set([...person.contextKeys, ...contexts.keys])]
  return startConnect(scope, {
    integration,
    mode,
    connectionIdentifier,
    // Who shares a workspace and is not linked to it gets nothing of his own.
    subscriberId: isShared && !linksPerson ? undefined : person.subscriber.subscriber_id,
    isShared,
    contextKeys: contexts.keys,
    scope: asked.scope,
    linksPerson,
    viewer: toViewer({ ...person, contextKeys }),
  })
}

const notForEverybody =
  'A browser connects a workspace for others only in contexts, and only if your server vouches for the person and for the ' +
  'contexts: subscriberHash, and context with contextHash.'
