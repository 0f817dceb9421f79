import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { ChannelConnection, Integration, Provider } from '../../api/types.ts'
import { fieldsOf, type NewEndpoint, toEndpoint, typesOf, typeWords } from '../../lib/endpoint-types.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Select } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { workspaceName } from '../integration/connection-words.ts'
import { integrationsQuery, providersQuery } from '../integrations/queries.ts'
import { LinkPerson } from './link-person.tsx'

type Choice = { integration: Integration; provider: Provider }

/** By hand, or by an address that the person opens. */
export function AddEndpoint({ subscriberId, onClose }: { subscriberId: string; onClose(): void }) {
  const choices = useChoices()
  const [chosen, setChosen] = useState('')
  const [wantedType, setType] = useState('')
  const [connectionIdentifier, setConnection] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const choice = choices.find(({ integration }) => integration.identifier === chosen)
  const types = choice ? typesOf(choice.provider) : []
  const type = types.find((one) => one === wantedType) ?? types[0]
  const fields = type ? fieldsOf(type) : []
  const connections = useConnections(chosen, subscriberId, choice?.provider.connects === true)
  const { save, fault } = useSaveEndpoint(onClose)
  const ready = type !== undefined && fields.every(({ name, optional }) => optional || values[name]?.trim())
  const submit = () => {
    if (!type || !ready) return
    const through = connectionIdentifier && type !== 'webhook' ? { connectionIdentifier } : {}
    const endpoint = toEndpoint(type, values)
    save.mutate({ subscriberId, integrationIdentifier: chosen, ...through, type, endpoint })
  }
  const choose = (identifier: string) => {
    setChosen(identifier)
    setConnection('')
    save.reset()
  }
  return (
    <FormDialog
      title="Add a channel endpoint"
      action="Add"
      busy={save.isPending}
      disabled={!ready}
      onSubmit={submit}
      onClose={onClose}
    >
      {fault && isUnplaced(fault) && <FaultNote fault={fault} />}
      <Field label="Integration" error={fault?.of('integrationIdentifier')} hint={noChoice(choices)}>
        <Select value={chosen} onText={choose} options={toOptions(choices)} />
      </Field>
      {type && (
        <Field label="Type" error={fault?.of('type')}>
          <Select value={type} onText={setType} options={types.map((value) => ({ value, label: typeWords(value) }))} />
        </Field>
      )}
      {fields.map(({ name, label, hint, optional, secret }) => (
        <Field
          key={name}
          label={label}
          required={!optional}
          error={fault?.of(`endpoint.${name}`)}
          {...(hint && { hint })}
        >
          <Input
            value={values[name] ?? ''}
            onText={(text) => setValues({ ...values, [name]: text })}
            {...(secret === 'address' && { placeholder: 'https://', inputMode: 'url' })}
          />
        </Field>
      ))}
      {choice?.provider.connects && type !== 'webhook' && (
        <ChooseConnection
          connections={connections}
          value={connectionIdentifier}
          onText={setConnection}
          error={fault?.of('connectionIdentifier')}
        />
      )}
      {choice && (choice.provider.connects || choice.provider.links) && (
        <LinkPerson
          key={`${chosen} ${connectionIdentifier}`}
          {...{ ...choice, subscriberId, connections, connectionIdentifier }}
        />
      )}
    </FormDialog>
  )
}

/** The integrations whose provider takes endpoints. */
function useChoices(): Choice[] {
  const integrations = useQuery(integrationsQuery).data ?? []
  const providers = useQuery(providersQuery).data ?? []
  return integrations.flatMap((integration) => {
    const provider = providers.find(({ providerId }) => providerId === integration.providerId)
    return provider && typesOf(provider).length > 0 ? [{ integration, provider }] : []
  })
}

function toOptions(choices: readonly Choice[]) {
  const named = choices.map(({ integration: { identifier, name }, provider: { displayName } }) => ({
    value: identifier,
    label: name === displayName ? name : `${name} (${displayName})`,
  }))
  return [{ value: '', label: 'Choose one' }, ...named]
}

const noChoice = (choices: readonly Choice[]) =>
  choices.length === 0 ? 'Connect a provider that takes endpoints first, such as Slack or Web Push.' : undefined

/** Everybody's, and the person's own. */
function useConnections(integrationIdentifier: string, subscriberId: string, enabled: boolean): ChannelConnection[] {
  const { data } = useQuery({
    queryKey: ['connections', 'choice', integrationIdentifier],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/channel-connections', { query: { integrationIdentifier, limit: 100 }, signal })).data,
    enabled,
  })
  return (data ?? []).filter((one) => one.subscriberId === null || one.subscriberId === subscriberId)
}

type ChooseConnectionProps = {
  connections: readonly ChannelConnection[]
  value: string
  onText(identifier: string): void
  error: string | undefined
}

function ChooseConnection({ connections, value, onText, error }: ChooseConnectionProps) {
  const options = connections.map((one) => ({
    value: one.identifier,
    label: `${workspaceName(one)} (${one.identifier})`,
  }))
  return (
    <Field label="Workspace" error={error} hint="Whose token is used. Where none fits, it is the integration's own.">
      <Select value={value} onText={onText} options={[{ value: '', label: 'The only one that fits' }, ...options]} />
    </Field>
  )
}

/** What no field here can show. */
function isUnplaced(fault: ApiFault): boolean {
  const isPlaced = (name: string) =>
    /^endpoint\./.test(name) || ['type', 'integrationIdentifier', 'connectionIdentifier'].includes(name)
  return !Object.keys(fault.errors).some(isPlaced)
}

function useSaveEndpoint(onDone: () => void) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (body: NewEndpoint) => api.post('/v1/channel-endpoints', { body }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['endpoints'] })
      toast.ok('Endpoint added')
      onDone()
    },
  })
  return { save, fault: save.error && toFault(save.error) }
}
