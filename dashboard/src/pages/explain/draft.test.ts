import { describe, expect, test } from 'vitest'
import type { Activity } from '../../api/types.ts'
import { jobOf } from '../../test-data.ts'
import { draftOf, emptyDraft, readDraft } from './draft.ts'

const whole = { ...emptyDraft, workflow: 'order-shipped', subscriber: ' ada ', payload: '{"id":1}' }

describe('a question', () => {
  test('about a person asks with their id; what is empty is not sent', () => {
    expect(readDraft(whole)).toEqual({ asked: { name: 'order-shipped', to: 'ada', payload: { id: 1 } } })
  })

  test('about a topic asks with the topic', () => {
    const asked = { name: 'order-shipped', to: { type: 'Topic', topicKey: 'news' }, payload: { id: 1 } }
    expect(readDraft({ ...whole, subscriber: '', kind: 'topic', topic: 'news' })).toEqual({ asked })
  })

  test('carries overrides, actor and tenant when they are given', () => {
    expect(readDraft({ ...whole, overrides: '{"sms":{}}', actor: 'bob', tenant: 'acme' })).toMatchObject({
      asked: { overrides: { sms: {} }, actor: 'bob', tenant: 'acme' },
    })
  })

  test('that is not whole says what is missing, each with its field', () => {
    expect(readDraft({ ...emptyDraft, payload: '[]', overrides: '{' })).toEqual({
      faults: {
        workflow: 'Choose a workflow.',
        subscriber: 'Enter a subscriber id.',
        payload: 'Must be a JSON object: { … }.',
        overrides: expect.stringMatching(/^Is not JSON/),
      },
    })
    expect(readDraft({ ...whole, kind: 'topic' })).toEqual({ faults: { topic: 'Enter a topic key.' } })
  })
})

test('an event that has happened is asked about with its own workflow, person, payload and overrides', () => {
  const event = {
    template: { name: 'Order shipped', triggers: [{ identifier: 'order-shipped' }] },
    subscriber: { subscriberId: 'ada' },
    payload: { id: 7 },
    jobs: [jobOf({ overrides: { email: { from: 'x' } } })],
  } as unknown as Activity
  expect(readDraft(draftOf(event))).toEqual({
    asked: { name: 'order-shipped', to: 'ada', payload: { id: 7 }, overrides: { email: { from: 'x' } } },
  })
})
