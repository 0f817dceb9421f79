import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { now, samples } from '../../../test/providers/provider-samples.ts'
import type { HttpRequest } from '../../lib/outbound.ts'
import { type InboundCall, NotNow } from '../inbound.ts'
import { sesCallbacks } from './ses.ts'

const topic = 'arn:aws:sns:eu-central-1:123456789012:mail'
const origin = 'https://sns.eu-central-1.amazonaws.com'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()

type Fields = Record<string, string>
const notice: Fields = {
  Type: 'Notification',
  MessageId: 'm1',
  TopicArn: topic,
  Subject: 'Amazon SES Email Event Notification',
  Message: '{"eventType":"Send"}',
  Timestamp: now.toISOString(),
  SignatureVersion: '2',
  SigningCertURL: `${origin}/SimpleNotificationService-0a1b.pem`,
}
const invitation: Fields = {
  ...notice,
  Type: 'SubscriptionConfirmation',
  Message: 'You have chosen to subscribe',
  Token: 'token-1',
  SubscribeURL: `${origin}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=token-1`,
}

function signed(fields: Fields): string {
  const names =
    fields.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.map((name) => (fields[name] === undefined ? '' : `${name}\n${fields[name]}\n`)).join('')
  const signature = sign(fields.SignatureVersion === '1' ? 'sha1' : 'sha256', Buffer.from(text), privateKey)
  return JSON.stringify({ ...fields, Signature: signature.toString('base64') })
}

/** SNS's own server: what was asked of it, and what it serves. */
function served(status = 200, text = pem) {
  const asked: HttpRequest[] = []
  const http: InboundCall['http'] = async (request) => {
    asked.push(request)
    return { kind: 'reply', status, headers: {}, text, json: undefined }
  }
  return { asked, http }
}

describe('the proof of SNS', () => {
  const verify = (body: string, given: Partial<InboundCall> = {}) =>
    sesCallbacks.verify(inboundCall({ body, signingKey: topic, http: served().http, ...given }))

  test('is its signature, by SHA-1 or SHA-256, of what each type names', async () => {
    expect(await verify(signed(notice))).toBe(true)
    expect(await verify(signed({ ...notice, SignatureVersion: '1' }))).toBe(true)
    const { Subject: _, ...plain } = notice
    expect(await verify(signed(plain))).toBe(true)
    expect(await verify(signed(invitation))).toBe(true)
    expect(await verify(signed({ ...invitation, Type: 'UnsubscribeConfirmation' }))).toBe(true)
  })

  test('holds by a real certificate', async () => {
    const certificate = `-----BEGIN CERTIFICATE-----\n${realCertificate}\n-----END CERTIFICATE-----\n`
    const { Subject: _, ...plain } = notice
    const body = JSON.stringify({ ...plain, Message: 'hello', Signature: realSignature })
    expect(await verify(body, { http: served(200, certificate).http })).toBe(true)
    expect(await verify(body.replace('hello', 'hullo'), { http: served(200, certificate).http })).toBe(false)
  })

  test('is missing if anything was changed, is of another topic, or a day old', async () => {
    const body = signed(notice)
    expect(await verify(body.replace('Send', 'Open'))).toBe(false)
    expect(await verify(body, { signingKey: `${topic}2` })).toBe(false)
    expect(await verify(body, { signingKey: '' })).toBe(false)
    expect(await verify(signed({ ...notice, TopicArn: '' }), { signingKey: '' })).toBe(false)
    expect(await verify(body, { now: new Date(now.getTime() + 23 * 3_600_000) })).toBe(true)
    expect(await verify(body, { now: new Date(now.getTime() + 25 * 3_600_000) })).toBe(false)
    expect(await verify(signed({ ...notice, Timestamp: 'soon' }))).toBe(false)
    expect(await verify(signed({ ...notice, SignatureVersion: '3' }))).toBe(false)
    for (const junk of ['', 'junk', '[]', '{}', 'null', '['.repeat(9_000)]) expect(await verify(junk)).toBe(false)
  })

  test('of another topic, or with a certificate from elsewhere, makes us fetch nothing', async () => {
    const { asked, http } = served()
    await verify(signed({ ...notice, TopicArn: `${topic}2` }), { http })
    for (const SigningCertURL of [
      'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b.pem',
      'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0a1b.pem',
      'https://sns.s3.amazonaws.com/SimpleNotificationService-0a1b.pem',
      'https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0a1b.pem',
      'https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-0a1b.pem',
      `${origin}/SimpleNotificationService-/../x.pem`,
      `${origin}/?x=SimpleNotificationService-0a1b.pem`,
    ]) {
      expect(await verify(signed({ ...notice, SigningCertURL }), { http })).toBe(false)
    }
    expect(await verify(signed(notice), { http, signingKey: 'arn:aws:sns:s3:123456789012:mail' })).toBe(false)
    expect(asked).toEqual([])
  })

  test('in China comes from a host of its own', async () => {
    const TopicArn = 'arn:aws-cn:sns:cn-north-1:123456789012:mail'
    const SigningCertURL = 'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0a1b.pem'
    expect(await verify(signed({ ...notice, TopicArn, SigningCertURL }), { signingKey: TopicArn })).toBe(true)
  })

  test('needs a certificate: without one the call is refused, or is an error after which SNS calls again', async () => {
    expect(await verify(signed(notice), { http: served(404).http })).toBe(false)
    await expect(verify(signed(notice), { http: served(503).http })).rejects.toThrow(NotNow)
    expect(await verify(signed(notice), { http: served(200, 'junk').http })).toBe(false)
    expect(await verify(signed(notice), { http: served(200, '-----BEGIN NONSENSE-----').http })).toBe(false)
  })

  test('asks for the certificate by its own name, so that it is kept', async () => {
    const names: string[] = []
    await verify(signed(notice), {
      cached: (name, fetch) => {
        names.push(name)
        return fetch()
      },
    })
    expect(names).toEqual([`certificate ${notice.SigningCertURL}`])
  })
})

describe('the subscription', () => {
  const greet = (fields: Fields, http: InboundCall['http']) =>
    sesCallbacks.handshake?.(inboundCall({ body: signed(fields), signingKey: topic, http }))

  test('is confirmed at SNS, and nowhere else', async () => {
    const { asked, http } = served(200, '<ConfirmSubscriptionResponse/>')
    expect(await greet(invitation, http)).toEqual({ type: 'text/plain', body: 'confirmed' })
    expect(asked).toEqual([{ method: 'GET', url: invitation.SubscribeURL }])
    expect(
      await greet({ ...invitation, SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription&' }, http),
    ).toBe(undefined)
    expect(await greet({ ...invitation, Type: 'UnsubscribeConfirmation' }, http)).toBe(undefined)
    expect(await greet(notice, http)).toBe(undefined)
    expect(asked).toHaveLength(1)
  })

  test('that cannot be confirmed is an error, after which SNS asks again', async () => {
    await expect(greet(invitation, served(500).http)).rejects.toThrow(NotNow)
  })
})

describe('events of SES', () => {
  const read = (event: unknown) =>
    sesCallbacks.read({ headers: {}, body: JSON.stringify({ ...notice, Message: JSON.stringify(event) }) })
  const mail = {
    messageId: '0100-ses',
    destination: ['ada@example.org'],
    tags: { 'ses:configuration-set': ['main'], tidings_message_id: [samples.email.id] },
  }
  const many = { ...mail, destination: ['ada@example.org', 'bob@example.org'] }
  const known = { externalId: '0100-ses', messageId: samples.email.id }
  const about = { ...known, address: 'ada@example.org' }
  const bounce = (bounceType: string, bounceSubType: string, diagnosticCode?: string) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: [{ emailAddress: 'ada@example.org', action: 'failed', status: '5.1.1', diagnosticCode }],
  })
  const complaint = (more: object) => ({ complainedRecipients: [{ emailAddress: 'ada@example.org' }], ...more })
  const preferences = (unsubscribeAll: boolean) => ({ newTopicPreferences: { unsubscribeAll } })

  test.each<[string, object, object[]]>([
    [
      'a delivery',
      { eventType: 'Delivery', delivery: { recipients: ['ada@example.org'] } },
      [{ kind: 'delivered', ...about }],
    ],
    [
      'a bounce for good',
      { eventType: 'Bounce', bounce: bounce('Permanent', 'General', 'smtp; 550 5.1.1 user unknown') },
      [{ kind: 'bounced', permanent: true, ...about, reason: 'smtp; 550 5.1.1 user unknown' }],
    ],
    [
      'one whose address is on the list of all of SES',
      { eventType: 'Bounce', bounce: bounce('Permanent', 'Suppressed') },
      [{ kind: 'bounced', permanent: true, ...about, reason: 'Permanent Suppressed' }],
    ],
    [
      'one whose address is on the list of the account',
      { eventType: 'Bounce', bounce: bounce('Permanent', 'OnAccountSuppressionList') },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'Permanent OnAccountSuppressionList' }],
    ],
    [
      'one that SES gave up',
      { eventType: 'Bounce', bounce: bounce('Transient', 'MailboxFull') },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'Transient MailboxFull' }],
    ],
    [
      'one that nobody understands',
      { eventType: 'Bounce', bounce: bounce('Undetermined', 'Undetermined') },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'Undetermined Undetermined' }],
    ],
    [
      'a complaint',
      { eventType: 'Complaint', complaint: complaint({ complaintFeedbackType: 'abuse' }) },
      [{ kind: 'complained', ...about, reason: 'abuse' }],
    ],
    [
      'a complaint of long ago, for which nothing was sent',
      { eventType: 'Complaint', complaint: complaint({ complaintSubType: 'OnAccountSuppressionList' }) },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'OnAccountSuppressionList' }],
    ],
    [
      'the opposite of a complaint',
      { eventType: 'Complaint', complaint: complaint({ complaintFeedbackType: 'not-spam' }) },
      [{ kind: 'other', ...about, name: 'not-spam' }],
    ],
    [
      'a mail with a virus',
      { eventType: 'Reject', reject: { reason: 'Bad content' } },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'Bad content' }],
    ],
    [
      'a template that does not fit',
      { eventType: 'Rendering Failure', failure: { errorMessage: "Attribute 'name' is missing", templateName: 'T' } },
      [{ kind: 'bounced', permanent: false, ...about, reason: "Attribute 'name' is missing" }],
    ],
    ['an opening', { eventType: 'Open', open: { ipAddress: '192.0.2.1' } }, [{ kind: 'opened', ...about }]],
    ['a click', { eventType: 'Click', click: { link: 'https://example.org' } }, [{ kind: 'clicked', ...about }]],
    [
      'who wants no more',
      { eventType: 'Subscription', subscription: preferences(true) },
      [{ kind: 'unsubscribed', ...about }],
    ],
    [
      'who wants some of it',
      { eventType: 'Subscription', subscription: preferences(false) },
      [{ kind: 'other', ...about, name: 'Subscription' }],
    ],
    [
      'a delay',
      {
        eventType: 'DeliveryDelay',
        deliveryDelay: { delayType: 'MailboxFull', delayedRecipients: [{ emailAddress: 'ada@example.org' }] },
      },
      [{ kind: 'other', ...about, name: 'DeliveryDelay', reason: 'MailboxFull' }],
    ],
    ['an event of the future', { eventType: 'Teleport' }, [{ kind: 'other', ...about, name: 'Teleport' }]],
    ['nothing of a mail on its way', { eventType: 'Send', send: {} }, []],
    ['an opening by one of two, without a guess', { eventType: 'Open', mail: many }, [{ kind: 'opened', ...known }]],
    [
      'one of two who wants no more, without a guess',
      { eventType: 'Subscription', mail: many, subscription: preferences(true) },
      [{ kind: 'unsubscribed', permanent: false, ...known }],
    ],
    [
      'a complaint by one of two, without a guess',
      {
        eventType: 'Complaint',
        mail: many,
        complaint: { complainedRecipients: [{ emailAddress: 'ada@example.org' }, { emailAddress: 'bob@example.org' }] },
      },
      [{ kind: 'complained', permanent: false, ...known }],
    ],
    [
      'one bounce of two recipients',
      { eventType: 'Bounce', mail: many, bounce: bounce('Permanent', 'NoEmail') },
      [{ kind: 'bounced', permanent: true, ...about, reason: 'Permanent NoEmail' }],
    ],
  ])('tell of %s', (_name, event, callbacks) => {
    expect(read({ mail, ...event })).toEqual(callbacks)
  })

  test('of an identity have another name for the type, and no tags', () => {
    const { tags: _, ...untagged } = mail
    const delivery = { recipients: ['ada@example.org'] }
    expect(read({ notificationType: 'Delivery', mail: untagged, delivery })).toEqual([
      { kind: 'delivered', externalId: '0100-ses', address: 'ada@example.org' },
    ])
  })

  test('are none if SES only says that it found the topic', () => {
    expect(read({ notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'hello' })).toEqual([])
    expect(read('Successfully validated SNS topic for Amazon SES event publishing.')).toEqual([])
  })

  test.each(['', 'junk', '[]', '{}', 'null', '['.repeat(9_000)])('are none in %j', (junk) => {
    expect(sesCallbacks.read({ headers: {}, body: junk })).toEqual([])
    expect(sesCallbacks.read({ headers: {}, body: JSON.stringify({ ...notice, Message: junk }) })).toEqual([])
    expect(read({ eventType: 'Bounce', mail, bounce: junk })).toEqual([])
    expect(read({ eventType: 'Delivery', mail: [junk], delivery: { recipients: junk } })).toEqual([])
  })
})

// Made with openssl for this test; its key is gone.
const realCertificate =
  'MIICFjCCAX+gAwIBAgIUL3DKkWzxrGhb8X3iOH/WciXOfwkwDQYJKoZIhvcNAQELBQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTE3MDkxMjMyWhgPMjEyNjEwMjQwOTEyMzJaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29tMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC9jfPipCsmY6hl8gF8DjXMbDQPLNZxhX59sjIfJuWdjm3XL1LSkbR1dWv1qNRk+WdpLhly/x+tauM+3yWACiiAu6m2LBxaQ+XyxErESnF0KkJcTXWBIQk5OCwyADIVG+OInUQkYAJemivLxYuEePUgQMLau5NWZGzJJEcgxEnVxQIDAQABo1MwUTAdBgNVHQ4EFgQUhxbn7BBeQXiw0mNDaHoDu2HuTmswHwYDVR0jBBgwFoAUhxbn7BBeQXiw0mNDaHoDu2HuTmswDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOBgQCMY3VHovCf1I7GjhBkFmoyzgAuLtNbwBS1srNR2LoK1XvRSN7JPttCscYFFbZLTbGV22NBBoEb+Exr2kgIVz1VNrw6FVtf/SKzntjVJfjyBwxrh/FoSYxlCivW5NZkv6Mk4K91cfaHY13YZuvFXf1xL+IwlIKb4Xr1mFewYtxquA=='
const realSignature =
  'hgZEDcvEzHLYtv2k+S/wr38S/aOXX4H7uPvlMG1JdiZQJ7FLOt9sM7eGI3Fp4n7t6mZpOK94D1M8iNl33ZPgBPiYqUj5ci+SjyY/CZ5RZYqU1NP1VE1VymvdUH57XPTAAEtaGYXdwxfJ3xdPT/WyXJK/RiC2rQnVWRe8K6bYP98='
