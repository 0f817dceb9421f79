import type { Provider } from '../../api/types.ts'
import { Card, Facts } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { WebAddress } from '../subscriber/web-address.tsx'

const tiers: Record<Provider['tier'], string> = {
  T0: 'Stays in this service: exactly once.',
  T1: 'The vendor knows our key of a message: a repetition is not delivered twice.',
  T2: 'The vendor keeps our id, so that a lost answer can be looked up there.',
  T3: 'A lost answer leaves open whether the message went out.',
}

const beyondClients = 'Beyond the published clients: they do not know this id. Use the API, or our own client.'

/** What the declaration says, in words. */
export function AboutProvider({ provider }: { provider: Provider }) {
  const { providerId, tier, documentation, verified, whenUnknown, canCheck, further } = provider
  return (
    <Card title={`About ${provider.displayName}`}>
      <Facts
        items={[
          ['Provider id', <Mono key="id">{providerId}</Mono>],
          ...(further ? ([['Clients', beyondClients]] as const) : []),
          ['Faults', tiers[tier]],
          ['No answer', whenUnknown === 'atLeastOnce' ? 'Sent again.' : 'Not sent again.'],
          [
            'Check',
            canCheck ? 'Credentials can be checked without sending.' : 'Only a test message shows whether it works.',
          ],
          ['Feedback', feedbackOf(provider)],
          ['Built from', verified],
          ...(documentation ? ([['Manual', <WebAddress key="manual" url={documentation} />]] as const) : []),
        ]}
      />
    </Card>
  )
}

function feedbackOf({ callbacks, links }: Provider): string {
  if (links) return 'Tells who opened a link, and who left.'
  return callbacks ? 'Takes deliveries, bounces and complaints.' : 'None.'
}
