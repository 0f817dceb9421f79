import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { Integration, IntegrationTest, Provider } from '../../api/types.ts'
import { sendsToEndpointsOnly } from '../../lib/endpoint-types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { TestEndpoint, useTestEndpoints } from './test-endpoint.tsx'
import { VendorWords } from './vendor-words.tsx'

type TestSendProps = { integration: Integration; provider: Provider }
type TestBody = BodyOf<'post', '/v1/integrations/{integrationId}/test'>
type Values = { to: string; endpointIdentifier: string; from: string; content: string }

const toLabels: Record<string, string> = {
  email: 'To (e-mail address)',
  sms: 'To (phone number)',
  chat: 'To (webhook URL, channel or phone number)',
  push: 'To (device token)',
}
/** The server names the field of the channel; here it is one. */
const toFields = ['to', 'webhookUrl', 'channel', 'phone', 'deviceToken']

/** One real message, now, and what the vendor said to it. */
export function TestSend({ integration, provider }: TestSendProps) {
  const [values, setValues] = useState<Values>({ to: '', endpointIdentifier: '', from: '', content: '' })
  const test = useMutation({
    mutationFn: (body: TestBody) =>
      api.post('/v1/integrations/{integrationId}/test', { path: { integrationId: integration._id }, body }),
  })
  const fault = test.error && toFault(test.error)
  const endpoints = useTestEndpoints(integration, provider).data
  const takesAddress = !sendsToEndpointsOnly(provider) && !values.endpointIdentifier
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = Object.entries({ ...values, to: takesAddress ? values.to : '' }).flatMap(([name, text]) =>
      text.trim() ? [[name, text.trim()]] : [],
    )
    test.mutate(Object.fromEntries(given))
  }
  const set = (name: keyof Values) => (text: string) => setValues({ ...values, [name]: text })
  const hasSender = provider.channel === 'email' || provider.channel === 'sms'
  return (
    <Card title="Send a test" description="A real message, past queue and history. The stored credentials are used.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TestEndpoint
          provider={provider}
          endpoints={endpoints}
          value={values.endpointIdentifier}
          onText={set('endpointIdentifier')}
          error={fault?.of('endpointIdentifier')}
        />
        {takesAddress && (
          <Field label={toLabels[provider.channel] ?? 'To'} error={fault ? toFaultOf(fault) : undefined}>
            <Input value={values.to} onText={set('to')} />
          </Field>
        )}
        {hasSender && (
          <Field label="From" hint="Empty: the integration's own sender." error={fault?.of('from')}>
            <Input value={values.from} onText={set('from')} />
          </Field>
        )}
        <Field label="Text" error={fault?.of('content')}>
          <Input value={values.content} onText={set('content')} placeholder="Test message from Tidings" />
        </Field>
        <div>
          <Button
            needs="credentials"
            type="submit"
            icon="play"
            busy={test.isPending}
            disabled={!(takesAddress ? values.to.trim() : values.endpointIdentifier)}
          >
            Send test
          </Button>
        </div>
        {fault && <OtherFaults fault={fault} />}
        {test.data && <Outcome result={test.data} provider={provider} />}
      </form>
    </Card>
  )
}

const toFaultOf = (fault: ApiFault) => toFields.map((name) => fault.of(name)).find(Boolean)

/** Faults of what is stored, not of what was typed here. */
function OtherFaults({ fault }: { fault: ApiFault }) {
  const others = Object.entries(fault.errors).filter(
    ([name]) => ![...toFields, 'endpointIdentifier', 'from', 'content'].includes(name),
  )
  if (others.length === 0) return Object.keys(fault.errors).length === 0 ? <FaultNote fault={fault} /> : null
  return (
    <ul role="alert" className="text-sm text-bad">
      {others.map(([name, { messages }]) => (
        <li key={name}>
          {name.replace('credentials.', '')} {messages.join(' ')}
        </li>
      ))}
    </ul>
  )
}

const titles: Record<IntegrationTest['outcome'], (name: string) => string> = {
  sent: (name) => `${name} took it`,
  retry: (name) => `${name} did not take it now; a real message would be tried again`,
  rejected: (name) => `${name} refused it`,
  unknown: () => 'No clear answer: it may have gone out',
}
const tones = { sent: 'ok', retry: 'warn', rejected: 'bad', unknown: 'warn' } as const

function Outcome({ result, provider }: { result: IntegrationTest; provider: Provider }) {
  const { outcome, reason, providerReply, id, durationMs } = result
  const words = providerReply ? `${providerReply.status} ${providerReply.body}`.trim() : reason
  const wasReached = providerReply !== null || outcome !== 'retry'
  const title = wasReached ? titles[outcome](provider.displayName) : `${provider.displayName} was not reached`
  const saysMore = providerReply && reason && !reason.includes(providerReply.body)
  return (
    <VendorWords tone={tones[outcome]} title={title} {...(words && { words })}>
      <p className="mt-2 text-sm break-words text-muted">
        {saysMore && `${reason}. `}
        {id && `Id ${id}. `}
        {durationMs.toLocaleString('en')} ms.{' '}
        {provider.developmentOnly && outcome === 'sent' && (
          <TextLink href={paths.mailbox} className="underline">
            Read it in the mailbox
          </TextLink>
        )}
      </p>
    </VendorWords>
  )
}
