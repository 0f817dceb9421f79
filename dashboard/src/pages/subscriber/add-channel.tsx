import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Provider } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { sendsToEndpointsOnly } from '../../lib/endpoint-types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Select, Textarea } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { integrationsQuery, providersQuery } from '../integrations/queries.ts'

type NewChannel = BodyOf<'put', '/v1/subscribers/{subscriberId}/credentials'>

const alertFields = ['alertUid', 'title', 'imageUrl', 'state', 'externalUrl']

/** What a provider wants to know of a person. */
function fieldsOf({ channel, providerId, usesSubscriberWebhook }: Provider): string[] {
  if (channel === 'push') return ['deviceTokens']
  const address = usesSubscriberWebhook ? 'webhookUrl' : 'channel'
  return providerId === 'grafana-on-call' ? [address, ...alertFields] : [address]
}

export const credentialLabels: Record<string, string> = {
  deviceTokens: 'Device tokens',
  webhookUrl: 'Webhook URL',
  channel: 'Channel or room',
  alertUid: 'Alert UID',
  title: 'Title',
  imageUrl: 'Image URL',
  state: 'State',
  externalUrl: 'External URL',
}

export function AddChannel({ subscriberId, onClose }: { subscriberId: string; onClose(): void }) {
  const reachable = (useQuery(providersQuery).data ?? []).filter(
    (one) => one.channel === 'push' || (one.channel === 'chat' && !sendsToEndpointsOnly(one)),
  )
  const [providerId, setProviderId] = useState('')
  const [identifier, setIdentifier] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const provider = reachable.find((one) => one.providerId === providerId)
  const { save, fault } = useSaveChannel(subscriberId, onClose)
  const fields = provider ? fieldsOf(provider) : []
  const ready = fields.some((name) => values[name]?.trim())
  const submit = () => {
    if (!ready) return
    const named = identifier ? { integrationIdentifier: identifier } : {}
    // The catalogue gives ids as plain text; those of chat and push are the ones this route takes.
    const known = providerId as NewChannel['providerId']
    save.mutate({ providerId: known, ...named, credentials: toCredentials(fields, values) })
  }
  return (
    <Dialog
      open
      title="Add a device or chat"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={save.isPending} disabled={!ready} onClick={submit}>
            Add
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {fault && Object.keys(fault.errors).length === 0 && <FaultNote fault={fault} />}
        <Field label="Provider">
          <Select value={providerId} onText={setProviderId} options={providerOptions(reachable)} />
        </Field>
        {provider && <MadeByItself provider={provider} />}
        {provider && <ChooseIntegration providerId={providerId} value={identifier} onText={setIdentifier} />}
        {fields.map((name) => (
          <CredentialInput
            key={name}
            name={name}
            value={values[name] ?? ''}
            onText={(text) => setValues({ ...values, [name]: text })}
            error={fault?.of(`credentials.${name}`)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function providerOptions(providers: readonly Provider[]) {
  const named = providers.map(({ providerId, displayName, channel }) => ({
    value: providerId,
    label: `${channelName(channel)}: ${displayName}`,
  }))
  return [{ value: '', label: 'Choose one' }, ...named.toSorted((a, b) => b.label.localeCompare(a.label)).reverse()]
}

/** Said before it happens: nobody should wonder later where that integration comes from. */
function MadeByItself({ provider }: { provider: Provider }) {
  const { data } = useQuery(integrationsQuery)
  if (!data || data.some(({ providerId }) => providerId === provider.providerId)) return null
  return (
    <p className="text-sm text-muted">
      There is no integration of {provider.displayName} yet: one is made
      {provider.usesSubscriberWebhook
        ? ', and is active at once.'
        : ', and stays off until you have given it its credentials.'}
    </p>
  )
}

/** Only where there is a choice. */
function ChooseIntegration(props: { providerId: string; value: string; onText(text: string): void }) {
  const own = (useQuery(integrationsQuery).data ?? []).filter(({ providerId }) => providerId === props.providerId)
  if (own.length < 2) return null
  const options = own.map(({ identifier, name }) => ({ value: identifier, label: name }))
  return (
    <Field label="Integration">
      <Select
        value={props.value}
        onText={props.onText}
        options={[{ value: '', label: 'The oldest active one' }, ...options]}
      />
    </Field>
  )
}

type CredentialInputProps = { name: string; value: string; onText(text: string): void; error: string | undefined }

function CredentialInput({ name, value, onText, error }: CredentialInputProps) {
  if (name === 'deviceTokens') {
    return (
      <Field label="Device tokens" hint="One per line. They are added to those that are known." error={error}>
        <Textarea rows={3} value={value} onText={onText} className="font-mono text-xs!" />
      </Field>
    )
  }
  return (
    <Field label={credentialLabels[name] ?? name} error={error}>
      <Input value={value} onText={onText} />
    </Field>
  )
}

function toCredentials(fields: readonly string[], values: Record<string, string>) {
  const given = fields.filter((name) => values[name]?.trim())
  const list = (text: string) => text.split(/\s+/).filter(Boolean)
  return Object.fromEntries(
    given.map((name) => [name, name === 'deviceTokens' ? list(values[name] ?? '') : values[name]?.trim()]),
  )
}

function useSaveChannel(subscriberId: string, onDone: () => void) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (body: NewChannel) =>
      api.put('/v1/subscribers/{subscriberId}/credentials', { path: { subscriberId }, body }),
    onSuccess: (saved) => {
      queries.setQueryData(['subscriber', subscriberId], saved)
      void queries.invalidateQueries({ queryKey: ['integrations'] })
      toast.ok('Added')
      onDone()
    },
  })
  return { save, fault: save.error && toFault(save.error) }
}
