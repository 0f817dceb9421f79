import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { ChannelSettings, Provider, Subscriber } from '../../api/types.ts'
import { channelIcon } from '../../lib/channels.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { providersQuery } from '../integrations/queries.ts'
import { AddChannel, credentialLabels } from './add-channel.tsx'
import { Endpoints } from './endpoints.tsx'

export function ChannelsTab({ person }: { person: Subscriber }) {
  const [adding, setAdding] = useState(false)
  const providers = useQuery(providersQuery).data ?? []
  return (
    <div className="flex flex-col gap-4">
      <Card title="Addresses" description="From the profile.">
        <Facts
          items={[
            ['E-mail', <Address key="email" channel="email" address={person.email} />],
            ['Phone', <Address key="phone" channel="sms" address={person.phone} />],
          ]}
        />
      </Card>
      <Card
        title="Devices and chats"
        description="Push goes to every device, chat to every place listed here."
        flush
        actions={
          <Button needs="subscribers" size="sm" icon="plus" onClick={() => setAdding(true)}>
            Add
          </Button>
        }
      >
        {person.channels.length === 0 ? (
          <Empty icon="push" title="No device, no chat">
            Push and chat steps skip this person until your app hands over a device token or a webhook. You can add one
            here too.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {person.channels.map((settings) => (
              <li key={settings._integrationId}>
                <ChannelLine
                  settings={settings}
                  provider={providers.find(({ providerId }) => providerId === settings.providerId)}
                  subscriberId={person.subscriberId}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Endpoints subscriberId={person.subscriberId} />
      {adding && <AddChannel subscriberId={person.subscriberId} onClose={() => setAdding(false)} />}
    </div>
  )
}

/** With a word about it when nothing is sent there any more. */
function Address({ channel, address }: { channel: 'email' | 'sms'; address: string | null | undefined }) {
  const found = useQuery({
    queryKey: ['suppression of', channel, address],
    queryFn: ({ signal }) => api.get('/v1/suppressions', { query: { channel, address }, signal }),
    enabled: Boolean(address),
  })
  if (!address) return <span className="text-muted">None. Steps of this channel skip this person.</span>
  const suppression = found.data?.data[0]
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="break-all">{address}</span>
      {suppression && (
        <>
          <Badge tone="bad">{suppression.reason}</Badge>
          <TextLink href={paths.suppressions} className="underline">
            Nothing is sent here
          </TextLink>
        </>
      )}
    </span>
  )
}

type ChannelLineProps = { settings: ChannelSettings; provider: Provider | undefined; subscriberId: string }

function ChannelLine({ settings, provider, subscriberId }: ChannelLineProps) {
  const remove = useForget(subscriberId, settings.providerId)
  const name = provider?.displayName ?? settings.providerId
  const ask = async () => {
    const yes = await confirm({
      title: `Forget ${name}?`,
      text: 'All tokens and addresses this person has with this provider are forgotten.',
      action: 'Forget them',
      danger: true,
    })
    if (yes) remove.mutate()
  }
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <Icon name={channelIcon(provider?.channel ?? 'push')} className="mt-0.5 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <TextLink href={paths.integration(settings._integrationId)}>{name}</TextLink>{' '}
          {settings.integrationIdentifier && (
            <span className="font-normal text-muted">
              <Mono>{settings.integrationIdentifier}</Mono>
            </span>
          )}
        </p>
        <Credentials settings={settings} subscriberId={subscriberId} />
      </div>
      <Button needs="subscribers" size="sm" kind="danger" busy={remove.isPending} onClick={() => void ask()}>
        Forget
      </Button>
    </div>
  )
}

function Credentials({ settings, subscriberId }: { settings: ChannelSettings; subscriberId: string }) {
  const { deviceTokens = [], ...others } = settings.credentials
  const forget = useForgetDevice(subscriberId, settings.providerId)
  return (
    <ul className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
      {deviceTokens.map((token) => (
        <li key={token} className="flex items-center gap-1">
          <span className="truncate" title={token}>
            Device <Mono>{token}</Mono>
          </span>
          <IconButton
            needs="subscribers"
            icon="close"
            label={`Forget device ${token}`}
            disabled={forget.isPending}
            onClick={() => forget.mutate(token)}
          />
        </li>
      ))}
      {Object.entries(others).map(([name, value]) => (
        <li key={name} className="truncate" title={value}>
          {credentialLabels[name] ?? name} <Mono>{value}</Mono>
        </li>
      ))}
    </ul>
  )
}

/** A device registers itself again when its app starts: this needs no question. */
function useForgetDevice(subscriberId: string, providerId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (token: string) =>
      api.delete('/v1/subscribers/{subscriberId}/credentials/{providerId}/device-tokens', {
        path: { subscriberId, providerId },
        body: { deviceTokens: [token] },
      }),
    onSuccess: (saved) => {
      queries.setQueryData(['subscriber', subscriberId], saved)
      toast.ok('Device forgotten')
    },
    onError: toast.fault,
  })
}

function useForget(subscriberId: string, providerId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () =>
      api.delete('/v1/subscribers/{subscriberId}/credentials/{providerId}', { path: { subscriberId, providerId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['subscriber', subscriberId] }),
    onError: toast.fault,
  })
}
