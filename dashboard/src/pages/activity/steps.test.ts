import { describe, expect, test } from 'vitest'
import { overallOf, personName, withLocalTimes } from './steps.ts'

type Jobs = Parameters<typeof overallOf>[0]
const jobs = (...pairs: [Jobs[number]['type'], string][]): Jobs => pairs.map(([type, status]) => ({ type, status }))

describe('one word for all steps of a person', () => {
  test.each([
    ['failed', jobs(['email', 'failed'])],
    ['partly failed', jobs(['email', 'failed'], ['in_app', 'completed'])],
    // A wait that went well reached nobody.
    ['failed', jobs(['delay', 'completed'], ['email', 'failed'])],
    ['sending', jobs(['in_app', 'completed'], ['email', 'queued'])],
    ['sending', jobs(['email', 'running'], ['sms', 'pending'])],
    ['waiting', jobs(['in_app', 'completed'], ['delay', 'delayed'], ['email', 'pending'])],
    ['completed', jobs(['in_app', 'completed'], ['email', 'skipped'])],
    ['partly canceled', jobs(['in_app', 'completed'], ['email', 'canceled'])],
    ['merged', jobs(['digest', 'merged'], ['email', 'canceled'])],
    ['canceled', jobs(['email', 'canceled'], ['sms', 'skipped'])],
    ['skipped', jobs(['email', 'skipped'])],
    ['no steps', []],
  ])('%s', (word, given) => {
    expect(overallOf(given).word).toBe(word)
  })

  test('only a failure is alarming', () => {
    expect(overallOf(jobs(['email', 'failed'], ['in_app', 'completed'])).tone).toBe('bad')
    expect(overallOf(jobs(['email', 'skipped'])).tone).toBe('neutral')
    expect(overallOf(jobs(['email', 'completed'])).tone).toBe('ok')
  })
})

test('times in the words of the server are told in the zone of the reader', () => {
  const text = withLocalTimes('waits until 2026-03-01T12:00:00.000Z, then 2026-03-01T13:00:00Z')
  expect(text).not.toMatch(/\dT\d|Z/)
  expect(text.match(/Mar 1, 2026|Feb 28, 2026|Mar 2, 2026/g)).toHaveLength(2)
})

test('a person is called by name, else by id; one who was deleted has neither', () => {
  expect(personName({ subscriberId: 'u1', firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(personName({ subscriberId: 'u1', firstName: null, lastName: 'Lovelace' })).toBe('Lovelace')
  expect(personName({ subscriberId: 'u1' })).toBe('u1')
  expect(personName(undefined)).toBe('Deleted subscriber')
})
