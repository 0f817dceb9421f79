import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ChannelConnection, Provider } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { workspaceName } from './connection-words.ts'

type ConnectionLineProps = { connection: ChannelConnection; provider: Provider; onAgain(): void }

export function ConnectionLine({ connection, provider, onAgain }: ConnectionLineProps) {
  const { workspace, refused } = connection
  const name = workspaceName(connection)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium break-words">
          {name}{' '}
          {workspace.name !== undefined && (
            <span className="font-normal text-muted">
              <Mono>{workspace.id}</Mono>
            </span>
          )}
        </p>
        <Details connection={connection} />
        {refused !== null && (
          <p role="alert" className="mt-1 flex items-start gap-2 text-sm text-bad">
            <Icon name="warn" className="mt-0.5" />
            <span className="min-w-0 break-words">
              {provider.displayName} refuses us there: {refused}; connect it again.
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button needs="credentials" size="sm" aria-label={`Connect again: ${name}`} onClick={onAgain}>
          Connect again
        </Button>
        <Disconnect connection={connection} />
      </div>
    </div>
  )
}

function Details({ connection }: { connection: ChannelConnection }) {
  const { identifier, subscriberId, contextKeys, createdAt, auth } = connection
  return (
    <ul className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
      <li>
        {subscriberId === null ? (
          "Everybody's"
        ) : (
          <>
            Only for <TextLink href={paths.subscriber(subscriberId)}>{subscriberId}</TextLink>
          </>
        )}
      </li>
      {contextKeys.length > 0 && <li className="break-all">In {contextKeys.join(', ')}</li>}
      <li>
        Connected <Time at={createdAt} />
      </li>
      {auth.expiresAt && (
        <li>
          Token expires <Time at={auth.expiresAt} />
        </li>
      )}
      <li className="break-all">
        <Mono>{identifier}</Mono>
      </li>
    </ul>
  )
}

function Disconnect({ connection }: { connection: ChannelConnection }) {
  const name = workspaceName(connection)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      api.delete('/v1/channel-connections/{identifier}', { path: { identifier: connection.identifier } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['connections'] })
      void queries.invalidateQueries({ queryKey: ['endpoints'] })
      toast.ok(`${name} is disconnected`)
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const yes = await confirm({
      title: `Disconnect ${name}?`,
      text: 'Its token is erased, and the channel endpoints that are reached through it are deleted too. The app stays installed at the vendor.',
      action: 'Disconnect',
      danger: true,
    })
    if (yes) remove.mutate()
  }
  return (
    <Button
      needs="credentials"
      size="sm"
      kind="danger"
      aria-label={`Disconnect ${name}`}
      busy={remove.isPending}
      onClick={() => void ask()}
    >
      Disconnect
    </Button>
  )
}
