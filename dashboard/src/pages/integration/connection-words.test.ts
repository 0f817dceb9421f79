import { describe, expect, test } from 'vitest'
import { connectionOf } from '../../test-data.ts'
import { hasNews, wishBody } from './connection-words.ts'

describe('what is asked of the server', () => {
  test("a workspace is everybody's unless a subscriber is chosen", () => {
    const common = { integrationIdentifier: 'slack', autoLinkUser: false }
    expect(wishBody('slack', { subscriberId: ' ' })).toEqual({ ...common, connectionMode: 'shared' })
    expect(wishBody('slack', { subscriberId: ' ada ' })).toEqual({
      ...common,
      connectionMode: 'subscriber',
      subscriberId: 'ada',
    })
  })

  test('one that is connected again keeps its identifier and its owner', () => {
    expect(wishBody('slack', { again: connectionOf({ identifier: 'chc_1' }) })).toMatchObject({
      connectionMode: 'shared',
      connectionIdentifier: 'chc_1',
    })
    expect(wishBody('slack', { again: connectionOf({ subscriberId: 'ada' }) })).toMatchObject({
      connectionMode: 'subscriber',
      subscriberId: 'ada',
    })
  })
})

describe('the wait is over', () => {
  const known = connectionOf({ identifier: 'chc_1' })
  const later = '2026-03-02T12:00:00.000Z'
  test.each([
    ['nothing changed', [known], false],
    ['another workspace came', [known, connectionOf({ identifier: 'chc_2' })], true],
    ['it was connected again', [{ ...known, updatedAt: later }], true],
    ['it was refused', [{ ...known, updatedAt: later, refused: 'token_revoked' }], false],
    ['it was disconnected', [], false],
  ])('%s: %s', (_what, now, isOver) => expect(hasNews([known], now)).toBe(isOver))
})
