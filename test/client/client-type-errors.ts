import { inbox } from '../../packages/client/src/inbox/inbox.ts'
import { useInbox } from '../../packages/client/src/react/use-inbox.ts'
import { tidings } from '../../packages/client/src/tidings.ts'

/**
 * Calls that must not compile. `npm run types` reads this file: `@ts-expect-error` is an error itself where the line below it
 * compiles. Nothing here runs.
 */
export function wrongCalls(): unknown[] {
  const client = tidings({ url: 'https://notify.example.com', key: process.env.TIDINGS_KEY })
  const owner = { applicationIdentifier: 'te_1', subscriberId: 'ada' }
  return [
    // @ts-expect-error: an event needs recipients
    client.trigger({ name: 'hello' }),
    // @ts-expect-error: each event of many needs recipients
    client.triggerBulk([{ name: 'hello', to: 'ada' }, { name: 'hello' }]),
    // @ts-expect-error: the named operation needs recipients, too
    client.request('POST /v1/events/trigger', { body: { name: 'hello' } }),
    // @ts-expect-error: explaining an event needs recipients, too
    client.explain({ name: 'hello' }),
    // @ts-expect-error: recipients cannot be missing at run time
    client.trigger({ name: 'hello', to: undefined }),
    // @ts-expect-error: an event needs a name
    client.trigger({ to: 'ada' }),
    // @ts-expect-error: a broadcast has no recipients of its own
    client.broadcast({ name: 'hello', to: 'ada' }),
    // @ts-expect-error: a subscriber needs an id
    client.subscribers.create({ email: 'ada@example.com' }),
    // @ts-expect-error: there is no such operation
    client.request('GET /v1/nothing'),
    // @ts-expect-error: the path has a parameter
    client.request('GET /v1/tenants/{identifier}'),
    // @ts-expect-error: an address and a key are needed
    tidings({}),
    // @ts-expect-error: a key is needed
    tidings({ url: 'https://notify.example.com' }),
    // @ts-expect-error: it names no person and has no token
    inbox({ url: 'https://notify.example.com' }),
    // @ts-expect-error: there are two buttons
    inbox({ url: 'https://notify.example.com', ...owner }).complete('id', 'third'),
    // @ts-expect-error: the hook needs to know whose inbox it is
    useInbox({ url: 'https://notify.example.com' }),
    // @ts-expect-error: the old limits have no new names
    tidings({ url: 'https://notify.example.com', key: 'k', patience: { attempts: 2 } }),
  ]
}
