import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ChannelEndpoint, Integration, Provider } from '../../api/types.ts'
import { channelIcon } from '../../lib/channels.ts'
import { placeWords, typeWords } from '../../lib/endpoint-types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { workspaceName } from '../integration/connection-words.ts'

type EndpointLineProps = {
  endpoint: ChannelEndpoint
  integration: Integration | undefined
  provider: Provider | undefined
}

export function EndpointLine({ endpoint, integration, provider }: EndpointLineProps) {
  const { type, connectionIdentifier, contextKeys, goneAt, identifier } = endpoint
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <Icon name={channelIcon(endpoint.channel ?? 'chat')} className="mt-0.5 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          {typeWords(type)} <Mono>{placeWords(endpoint)}</Mono>
        </p>
        <ul className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          <li>
            By{' '}
            {integration ? (
              <TextLink href={paths.integration(integration._id)}>{integration.name}</TextLink>
            ) : (
              (provider?.displayName ?? endpoint.providerId)
            )}
          </li>
          {connectionIdentifier !== null && (
            <li>
              <Through identifier={connectionIdentifier} />
            </li>
          )}
          {contextKeys.length > 0 && <li className="break-all">Only in {contextKeys.join(', ')}</li>}
          <li className="break-all">
            <Mono>{identifier}</Mono>
          </li>
        </ul>
        {goneAt !== null && (
          <Warning>
            Gone since <Time at={goneAt} />: {provider?.displayName ?? 'the vendor'} said that this place no longer
            exists. Nothing is sent there.
          </Warning>
        )}
        {connectionIdentifier !== null && (
          <Refused identifier={connectionIdentifier} name={provider?.displayName ?? 'The vendor'} />
        )}
      </div>
      <Delete endpoint={endpoint} />
    </div>
  )
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <p role="alert" className="mt-1 flex items-start gap-2 text-sm text-warn">
      <Icon name="warn" className="mt-0.5" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}

function useConnection(identifier: string) {
  return useQuery({
    queryKey: ['connections', 'one', identifier],
    queryFn: ({ signal }) => api.get('/v1/channel-connections/{identifier}', { path: { identifier }, signal }),
  }).data
}

function Through({ identifier }: { identifier: string }) {
  const connection = useConnection(identifier)
  return <>Through {connection ? workspaceName(connection) : <Mono>{identifier}</Mono>}</>
}

function Refused({ identifier, name }: { identifier: string; name: string }) {
  const refused = useConnection(identifier)?.refused
  if (!refused) return null
  return (
    <Warning>
      {name} refuses us there: {refused}; connect the workspace again, on the page of the integration.
    </Warning>
  )
}

function Delete({ endpoint }: { endpoint: ChannelEndpoint }) {
  const { identifier } = endpoint
  const words = `${typeWords(endpoint.type)} ${placeWords(endpoint)}`.trim()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/channel-endpoints/{identifier}', { path: { identifier } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
      toast.ok('Endpoint deleted')
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const yes = await confirm({
      title: 'Delete this endpoint?',
      text: `Nothing is sent to ${words} for this person any more.`,
      action: 'Delete endpoint',
      danger: true,
    })
    if (yes) remove.mutate()
  }
  return (
    <Button
      needs="subscribers"
      size="sm"
      kind="danger"
      aria-label={`Delete ${words}`}
      busy={remove.isPending}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  )
}
