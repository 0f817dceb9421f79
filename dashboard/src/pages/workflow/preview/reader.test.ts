import { expect, test } from 'vitest'
import { asReader } from './reader.ts'

test('a language stands over that of the person, and only that', () => {
  expect(asReader('ada', 'de', { payload: { a: 1 } })).toEqual({
    subscriberId: 'ada',
    previewPayload: { payload: { a: 1 }, subscriber: { locale: 'de' } },
  })
})

test('nobody in particular keeps the made-up name in every language', () => {
  expect(asReader('', 'de', {}).previewPayload?.subscriber).toMatchObject({ firstName: 'Ada', locale: 'de' })
})

test('without a language nothing is said about the person', () => {
  expect(asReader('', '', {})).toEqual({ previewPayload: {} })
  expect(asReader('ada', '', {})).toEqual({ subscriberId: 'ada', previewPayload: {} })
})
