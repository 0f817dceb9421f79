import type { BodyOf } from '../../api/calls.ts'
import type { ChannelConnection } from '../../api/types.ts'

type OAuthBody = BodyOf<'post', '/v1/integrations/channel-connections/oauth'>

/** A new workspace, for everybody or for one subscriber; or one that is connected anew. */
export type Wish = { subscriberId: string } | { again: ChannelConnection }

/** Whoever clicks here is no subscriber: nobody is linked on the way. */
export function wishBody(integrationIdentifier: string, wish: Wish): OAuthBody {
  const subscriberId = 'again' in wish ? wish.again.subscriberId : wish.subscriberId.trim()
  return {
    integrationIdentifier,
    ...(subscriberId ? { connectionMode: 'subscriber', subscriberId } : { connectionMode: 'shared' }),
    ...('again' in wish && { connectionIdentifier: wish.again.identifier }),
    autoLinkUser: false,
  }
}

/** A workspace came, or one was connected anew. That one was refused is no such news. */
export function hasNews(before: readonly ChannelConnection[], now: readonly ChannelConnection[]): boolean {
  return now.some(({ identifier, updatedAt, refused }) => {
    const known = before.find((one) => one.identifier === identifier)
    return !known || (refused === null && known.updatedAt !== updatedAt)
  })
}

export const workspaceName = ({ workspace }: Pick<ChannelConnection, 'workspace'>) => workspace.name ?? workspace.id
