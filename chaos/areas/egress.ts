import { defineArea } from '../lib/area.ts'
import { addresses } from '../rows/egress/addresses.ts'
import { headers } from '../rows/egress/headers.ts'
import { rebinding } from '../rows/egress/rebinding.ts'
import { redirects } from '../rows/egress/redirects.ts'
import { aloneOnStage as alone, type EgressStage, openEgress } from '../rows/egress/stage.ts'

const connect = 'src/egress/connect.ts'
const judgesAnswers = 'if (!addresses.every(guard.allowsAddress))'
const judgesPeer = 'if (!guard.allowsAddress(socket.remoteAddress))'

export const egress = defineArea<EgressStage>({
  name: 'egress',
  open: openEgress,
  rowLimitMs: 300_000,
  rows: {
    addresses: alone(addresses),
    rebinding: alone(rebinding),
    redirects: alone(redirects),
    headers: alone(headers),
  },
  mutations: [
    {
      name: 'literal addresses are not looked at',
      edits: [
        {
          file: 'src/egress/address-guard.ts',
          find: 'if (isIP(host)) return allowsAddress(host) ? null : refusedAddress',
          replace: 'if (isIP(host)) return null',
        },
        { file: connect, find: judgesAnswers, replace: 'if (!isIP(name) && !addresses.every(guard.allowsAddress))' },
        { file: connect, find: judgesPeer, replace: 'if (!isIP(name) && !guard.allowsAddress(socket.remoteAddress))' },
      ],
      turnsRed: 'addresses',
    },
    {
      name: 'addresses are looked at when saved, not when sent to',
      edits: [
        {
          file: 'src/egress/http.ts',
          find: 'const refusal = guard.refuseUrl(request.url)',
          replace: "const refusal = request.url === '' ? 'empty' : null",
        },
        {
          file: connect,
          find: 'const refusal = guard.refuseHost(host) ?? guard.refusePort(port)',
          replace: "const refusal = host === '' ? 'empty' : null",
        },
        { file: connect, find: judgesAnswers, replace: 'if (addresses.length === 0)' },
        { file: connect, find: judgesPeer, replace: 'if (socket.destroyed)' },
      ],
      turnsRed: 'addresses',
    },
    {
      name: 'one good answer of a name is enough',
      edits: [
        { file: connect, find: judgesAnswers, replace: 'if (!addresses.some(guard.allowsAddress))' },
        { file: connect, find: judgesPeer, replace: 'if (socket.destroyed)' },
      ],
      turnsRed: 'rebinding',
    },
    {
      name: 'redirects are followed',
      edits: [
        {
          file: 'src/egress/http.ts',
          find: "import { Agent, type buildConnector, type Dispatcher } from 'undici'",
          replace: "import { Agent, type buildConnector, type Dispatcher, interceptors } from 'undici'",
        },
        {
          file: 'src/egress/http.ts',
          find: ': exchange(agent, outgoing,',
          replace: ': exchange(agent.compose(interceptors.redirect({ maxRedirections: 3 })), outgoing,',
        },
      ],
      turnsRed: 'redirects',
    },
    {
      name: 'the subject is also written as it came',
      edits: [
        { file: 'src/core/delivery/build-message.ts', find: 'subject: oneLine(', replace: 'subject: String(' },
        { file: 'src/egress/smtp-mail.ts', find: 'subject: oneLine(mail.subject)', replace: 'subject: mail.subject' },
        {
          file: 'src/egress/smtp-mail.ts',
          find: 'const bytes = await new MailComposer(draft).compile().build()',
          replace:
            "const bytes = Buffer.concat([Buffer.from('List-Unsubscribe-Post: ' + draft.subject + '\\r\\n'), await new MailComposer(draft).compile().build()])",
        },
      ],
      turnsRed: 'headers',
    },
    {
      name: 'the blind copies stand in the mail',
      edits: [
        {
          file: 'src/egress/smtp-mail.ts',
          find: 'headers: Object.entries(mail.headers).map(([key, value]) => ({ key, value })),',
          replace:
            "headers: [...Object.entries(mail.headers).map(([key, value]) => ({ key, value })), { key: 'X-Custom', value: mail.bcc.join() }],",
        },
      ],
      turnsRed: 'headers',
    },
  ],
})
