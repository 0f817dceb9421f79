import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { ChannelConnection, Integration, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'

type LinkPersonProps = {
  integration: Integration
  provider: Provider
  subscriberId: string
  connections: readonly ChannelConnection[]
  /** Empty: none was chosen. */
  connectionIdentifier: string
}

/** An address for the person: who opens it and agrees is reached from then on. */
export function LinkPerson(props: LinkPersonProps) {
  const { integration, provider, subscriberId, connections } = props
  const integrationIdentifier = integration.identifier
  // Without one the person would be known, and no token would reach him.
  const only = connections.length === 1 ? connections[0]?.identifier : undefined
  const connectionIdentifier = props.connectionIdentifier || only
  const isOpen = connections.length > 1 && connectionIdentifier === undefined
  const ask = useMutation({
    mutationFn: () =>
      provider.connects
        ? api.post('/v1/integrations/channel-endpoints/oauth', {
            body: { integrationIdentifier, subscriberId, connectionIdentifier },
          })
        : api.post('/v1/integrations/channel-endpoints/link', { body: { integrationIdentifier, subscriberId } }),
  })
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="text-sm text-muted">
        Or let the person do it:{' '}
        {provider.connects ? `signing in at ${provider.displayName}` : `writing to the bot at ${provider.displayName}`}{' '}
        tells who it is.{isOpen && ' Choose the workspace first.'}
      </p>
      <div>
        <Button size="sm" busy={ask.isPending} disabled={isOpen} onClick={() => ask.mutate()}>
          {provider.connects ? 'Link by OAuth' : `Link by ${provider.displayName}`}
        </Button>
      </div>
      {ask.error && <FaultNote fault={toFault(ask.error)} />}
      {ask.data && (
        <div role="status">
          <Code wrap label="Address for the person" text={ask.data.url} maxHeight="6rem" />
          <p className="mt-1.5 text-sm text-muted">
            Give it to nobody else: whoever opens it is taken for {subscriberId}. It is good once, for half an hour.
          </p>
        </div>
      )}
    </div>
  )
}
