import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ApiFault } from '../../api/fault.ts'
import type { CallbackSetup, Callbacks, Integration, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { callbackAddress, newCallbackKey } from './callback-words.ts'
import type { Draft } from './draft.ts'
import { LastCalls } from './last-calls.tsx'

type CallbackSettingsProps = {
  setup: CallbackSetup
  provider: Provider
  integration: Integration | undefined
  draft: Draft
  onChange(draft: Draft): void
  fault: ApiFault | null
  /** The key that was saved a moment ago; the server does not show it again. */
  savedKey: string
}

/** The key of the vendor's calls, the address it is given, and whether anything arrives there. */
export function CallbackSettings(props: CallbackSettingsProps) {
  const { setup, provider, integration, draft, savedKey } = props
  return (
    <>
      <KeyField {...props} />
      {integration ? (
        <Listening
          setup={setup}
          provider={provider}
          integration={integration}
          typedKey={draft.signingKey.trim()}
          savedKey={savedKey}
        />
      ) : (
        <p className="text-sm text-muted">{beforeSaving(setup, provider)}</p>
      )}
    </>
  )
}

function beforeSaving({ perMessage }: CallbackSetup, { links, displayName }: Provider): string {
  if (links) return `Once this is saved, ${displayName} can be told where to call.`
  return perMessage ? nothingToSetUp : 'The address for the vendor is shown once this is saved.'
}

const nothingToSetUp = 'Nothing to set up at the vendor: every message names the address.'

function KeyField({ setup, provider, integration, draft, onChange, fault }: CallbackSettingsProps) {
  const stored = integration?.configurations.inboundWebhookSigningKey
  const type = (signingKey: string) => onChange({ ...draft, signingKey })
  return (
    <div className="flex min-w-0 items-start gap-2">
      <Field
        label={setup.key.label}
        hint={setup.key.help}
        error={fault?.of('configurations.inboundWebhookSigningKey')}
        className="flex-1"
      >
        <Input
          type="password"
          autoComplete="new-password"
          value={draft.signingKey}
          onText={type}
          placeholder={typeof stored === 'string' ? `${stored} (kept)` : ''}
        />
      </Field>
      {(setup.keyInUrl || provider.links) && (
        <Button needs="credentials" className="mt-[26px]" onClick={() => type(newCallbackKey())}>
          Make a key
        </Button>
      )}
    </div>
  )
}

// Whoever sets a vendor up waits for its first call.
const everyMs = 3_000

type ListeningProps = {
  setup: CallbackSetup
  provider: Provider
  integration: Integration
  typedKey: string
  savedKey: string
}

function Listening({ setup, provider, integration, typedKey, savedKey }: ListeningProps) {
  const integrationId = integration._id
  const { data } = useQuery({
    queryKey: ['integrations', integrationId, 'callbacks'],
    queryFn: ({ signal }) => api.get('/v1/integrations/{integrationId}/callbacks', { path: { integrationId }, signal }),
    refetchInterval: everyMs,
  })
  if (!data) return null
  const key = typedKey || savedKey
  const address = callbackAddress({ setup, url: data.url, origin: location.origin, integrationId, key })
  return (
    <>
      {setup.perMessage && <PerMessage url={data.url} />}
      {/* A bot's vendor is told by a button of its own. */}
      {!setup.perMessage && !provider.links && <Address address={address} setup={setup} hasKey={key !== ''} />}
      {typedKey && <p className="text-sm text-muted">This key counts once it is saved.</p>}
      <LastCalls callbacks={data} />
    </>
  )
}

function PerMessage({ url }: Pick<Callbacks, 'url'>) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">{nothingToSetUp}</p>
      {url === null && (
        <p role="alert" className="flex items-start gap-2 text-warn">
          <Icon name="warn" className="mt-0.5" />
          <span className="min-w-0">
            The server does not know its public address: messages name none, and the vendor will not call. Start it with
            PUBLIC_URL.
          </span>
        </p>
      )}
    </div>
  )
}

function Address({ address, setup, hasKey }: { address: string; setup: CallbackSetup; hasKey: boolean }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">Give the vendor this address</p>
      <Code wrap label="Callback address" text={address} />
      {setup.keyInUrl && (
        <p className="mt-1.5 text-sm text-muted">
          {hasKey
            ? 'The address holds the key and is shown only now: copy it.'
            : 'The key is kept and not shown: put it in place of the dots, or make a new one.'}
        </p>
      )}
    </div>
  )
}
