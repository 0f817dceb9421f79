export type Place = {
  /** Where this service is reached. */
  address: string
  /** The environment's, which is public. */
  identifier: string
  subscriberId: string
}

/** The stock component. Both addresses, always: with one alone it would send its token to its vendor's socket. */
export function reactSnippet({ address, identifier, subscriberId }: Place): string {
  return `import { Inbox } from '@novu/react'

export function Bell({ subscriberHash }) {
  return (
    <Inbox
      applicationIdentifier=${attribute(identifier)}
      subscriberId=${attribute(subscriberId)}
      subscriberHash={subscriberHash}
      backendUrl=${attribute(address)}
      socketUrl=${attribute(address)}
    />
  )
}
`
}

/** Our own client. */
export function clientSnippet({ address, identifier, subscriberId }: Place): string {
  return `import { inbox } from '@tidings/client/inbox'

const mine = inbox({
  url: ${text(address)},
  applicationIdentifier: ${text(identifier)},
  subscriberId: ${text(subscriberId)},
  subscriberHash,
})
const show = async () => console.log((await mine.list()).data)
mine.listen({
  connected: show,
  received: show,
  counts({ unread }) {
    console.log(unread)
    show()
  },
})
`
}

/** For the customer's own server, never for a browser. */
export function hashSnippet({ subscriberId }: Place): string {
  return `import { createHmac } from 'node:crypto'

const key = process.env.TIDINGS_API_KEY
const subscriberHash = createHmac('sha256', key)
  .update(${text(subscriberId)})
  .digest('hex')
`
}

/** As JavaScript writes it, whatever an id holds. */
function text(value: string): string {
  const quoted = JSON.stringify(value)
  return /["'\\]/.test(value) || quoted.length !== value.length + 2 ? quoted : `'${value}'`
}

/** JSX reads entities in an attribute's text: what is not plain goes in as an expression. */
function attribute(value: string): string {
  return /^[^"'\\&<>{}\p{Cc}]*$/u.test(value) ? `"${value}"` : `{${JSON.stringify(value)}}`
}
