import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { VendorWords } from './vendor-words.tsx'

/** People who open a link are known to us once the bot's vendor calls. */
export function TellVendor({ integration, provider }: { integration: Integration; provider: Provider }) {
  const name = provider.displayName
  const tell = useMutation({
    mutationFn: () =>
      api.post('/v1/integrations/{integrationIdentifier}/webhook/configure', {
        path: { integrationIdentifier: integration.identifier },
      }),
  })
  return (
    <Card
      title="People who write to the bot"
      description={`${name} calls us when somebody opens a link that was made for a subscriber, and when somebody leaves.`}
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">Save the callbacks with a key first, under Delivery below.</p>
        <div>
          <Button needs="credentials" busy={tell.isPending} onClick={() => tell.mutate()}>
            Tell {name} where to call
          </Button>
        </div>
        {tell.error && <FaultNote fault={toFault(tell.error)} />}
        {tell.data && (
          <VendorWords tone="ok" title={`${name} knows where to call for the bot ${tell.data.botUsername}`}>
            <p className="mt-1 text-sm break-all text-muted">{tell.data.webhookUrl}</p>
          </VendorWords>
        )}
      </div>
    </Card>
  )
}
