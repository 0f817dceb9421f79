import { type ReceivedMail, startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'
import { hostileValues, victim } from '../../hostile/headers.ts'
import { whenOver } from '../../lib/clean-up.ts'
import { send } from '../../lib/http.ts'
import { at, listAt } from '../../lib/json.ts'
import { allowing, makeSender, type Sender, smtp, untilSettled } from '../../lib/outside-stage.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, type Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { readMessages } from '../../oracles/sending.ts'

const workflow = 'chaos-headers'
const hidden = 'hidden@example.net'
const perBulk = 50

/** Where a value of somebody else's comes into a mail. What is text stands together; an address may refuse the mail. */
const fields: readonly { name: string; begin: string; event(value: string): Record<string, unknown> }[] = [
  {
    name: 'subject, body, preheader, sender, reply address and first name by payload',
    begin: 'Hi',
    event: (value) => ({
      payload: { subject: value, body: value, preheader: value, replyTo: value, name: value, email: value },
      firstName: value,
      overrides: { email: { bcc: [hidden] } },
    }),
  },
  {
    name: 'subject, sender name, html, text, header, attachment by overrides',
    begin: 'Hi',
    event: (value) => ({
      overrides: {
        email: {
          subject: value,
          senderName: value,
          html: value,
          text: value,
          headers: { 'X-Custom': value },
          attachments: [{ name: value, mime: 'text/plain', file: 'aGk=' }],
          bcc: hidden,
        },
      },
    }),
  },
  {
    name: 'attachment type',
    begin: 'text/plain',
    event: (mime) => ofEmail({ attachments: [{ name: 'a', mime, file: 'aGk=' }] }),
  },
  { name: 'header name', begin: 'X-Custom', event: (value) => ofEmail({ headers: { [value]: 'yes' } }) },
  { name: 'from', begin: 'Team <team@example.com>', event: (from) => ofEmail({ from }) },
  { name: 'replyTo', begin: 'reply@example.com', event: (replyTo) => ofEmail({ replyTo }) },
  { name: 'cc', begin: 'copy@example.com', event: (cc) => ofEmail({ cc: [cc] }) },
  { name: 'bcc', begin: 'copy@example.com', event: (bcc) => ofEmail({ bcc: [bcc] }) },
  { name: 'to', begin: 'somebody@example.com', event: (to) => ofEmail({ to: [to] }) },
  { name: 'subscriber e-mail', begin: 'somebody@example.com', event: (email) => ({ email }) },
]

function ofEmail(values: Record<string, unknown>) {
  return { overrides: { email: values } }
}

type Case = { about: string; field: string; event: Record<string, unknown> }

/** Header injection: whatever stands in a field, the server sees one of each header, or nothing at all. */
export async function headers(world: World): Promise<string> {
  const server = await startSmtpReceiver()
  whenOver(() => server.close())
  const node = await world.startNode(allowing([server.port]), 'start')
  const sender = await makeSender(world, node.url, 'email', [smtp(server.port)])
  await makeWorkflow(node.url, sender)
  const cases = fields.flatMap(({ name, begin, event }, f) => {
    const values = hostileValues(begin)
    const some = world.small ? values.filter((_, n) => n % 10 === 0) : values
    return some.map((value, n): Case => ({ about: `field-${f}-${n}`, field: name, event: event(value) }))
  })
  const accepted = await triggerAll(node.url, sender, cases)
  await untilSettled(world, [sender], 200_000)
  const messages = await readMessages(world, sender)
  const faults = collectFaults()
  const known = new Map(messages.map((message) => [message.id, message]))
  const fieldOf = new Map(cases.map(({ about, field }) => [about, field]))
  const seen = new Set<string>()
  for (const mail of server.mails) {
    const id = headerOf(mail, 'message-id').replace(/^<|@.*$/g, '')
    const about = known.get(id)?.about
    const where = `${about} (${fieldOf.get(about ?? '') ?? 'a mail that is not ours'})`
    if (!about) faults.add(`SMUGGLED: ${where}: ${mail.raw.slice(0, 200)}`)
    if (seen.has(id)) faults.add(`twice: ${where}`)
    seen.add(id)
    checkMail(mail, where, faults)
    if (about?.startsWith('field-0-') || about?.startsWith('field-1-')) checkBcc(mail, where, faults)
  }
  const errors = messages.filter((message) => message.status !== 'sent').length
  for (const { id, about, status } of messages) {
    if (status === 'sent' && !seen.has(id)) faults.add(`${about} says sent, and no mail came`)
  }
  faults.end()
  expectAtLeast(server.mails.length, cases.length / 3, 'mails')
  expectAtLeast(cases.length - accepted + errors, world.small ? 1 : 100, 'refusals')
  return `${cases.length / fields.length} hostile values in each of ${fields.length} places: ${server.mails.length} mails with one of each header, ${cases.length - accepted} events refused, ${errors} messages in error; bcc never shown`
}

async function makeWorkflow(url: string, { tenant }: Sender): Promise<void> {
  const controlValues = {
    subject: 'Hello {{payload.subject}} {{subscriber.firstName}}',
    body: '<p>{{payload.body}}</p>',
    preheader: '{{payload.preheader}}',
    replyTo: '{{payload.replyTo}}',
    from: { email: '{{payload.email}}', name: '{{payload.name}}' },
  }
  const body = { workflowId: workflow, name: workflow, steps: [{ name: 'Mail', type: 'email', controlValues }] }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
}

/** Answers how many events were taken. */
async function triggerAll(url: string, { tenant }: Sender, cases: readonly Case[]): Promise<number> {
  const bulks = times(Math.ceil(cases.length / perBulk), (n) => cases.slice(n * perBulk, (n + 1) * perBulk))
  const toEvent = ({ about, event }: Case) => {
    const { email = `${about}@example.org`, firstName = 'Ada', ...more } = event
    return { name: workflow, transactionId: about, to: { subscriberId: about, email, firstName }, payload: {}, ...more }
  }
  const taken = await inParallel(bulks, 2, async (bulk) => {
    const events = bulk.map(toEvent)
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events } })
    if (reply.status === 201) return listAt(reply.body).filter((it) => at(it, 'status') === 'processed').length
    // The bulk is refused as a whole: then each has its own answer.
    const alone = await inParallel(events, 4, (event) =>
      send(url, 'POST', '/v1/events/trigger', { key: tenant.key, body: event }),
    )
    for (const { status, text } of alone) {
      if (status >= 500) expectEqual(status, 422, `a hostile value: ${text}`)
    }
    return alone.filter(({ status }) => status === 201).length
  })
  return taken.reduce((sum, count) => sum + count, 0)
}

const exactlyOne = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']
const atMostOne = [
  'cc',
  'reply-to',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'x-custom',
]

function headerOf({ headers }: ReceivedMail, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

function checkMail(mail: ReceivedMail, where: string, faults: Faults): void {
  const counts = Map.groupBy(mail.headers, ([name]) => name.toLowerCase())
  for (const name of exactlyOne) {
    if (counts.get(name)?.length !== 1) faults.add(`${where}: ${counts.get(name)?.length ?? 0} × ${name}`)
  }
  for (const [name, values] of counts) {
    if (exactlyOne.includes(name)) continue
    if (!atMostOne.includes(name)) faults.add(`INJECTED: ${where}: a header ${JSON.stringify(name.slice(0, 60))}`)
    else if (values.length > 1) faults.add(`INJECTED: ${where}: ${values.length} × ${name}`)
  }
  if (mail.to.includes(victim)) faults.add(`INJECTED: ${where}: it went to the victim`)
  const [head = ''] = mail.raw.split('\r\n\r\n')
  if (/\r(?!\n)|(?<!\r)\n|\0/.test(head)) faults.add(`${where}: a bare line break or NUL in the headers`)
}

function checkBcc(mail: ReceivedMail, where: string, faults: Faults): void {
  if (!mail.to.includes(hidden)) faults.add(`${where}: the bcc did not get it`)
  if (mail.raw.includes(hidden)) faults.add(`SHOWN: ${where}: the bcc stands in the mail`)
}
