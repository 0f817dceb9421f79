import { describe, expect, test } from 'vitest'
import type { PreferenceLayer, WorkflowPreferences } from '../workflows/workflow.ts'
import { type Choices, type Decision, isReadOnly, resolvePreference } from './preferences.ts'

type Given = boolean | undefined
const any: Given[] = [undefined, true, false]

/** Leaves out keys that are not given. */
function layer(channel: Given, all: Given, readOnly?: boolean): PreferenceLayer {
  return {
    ...((all !== undefined || readOnly !== undefined) && {
      all: { ...(all !== undefined && { enabled: all }), ...(readOnly !== undefined && { readOnly }) },
    }),
    ...(channel !== undefined && { channels: { email: { enabled: channel } } }),
  }
}

function choices(channel: Given, all: Given): Choices {
  return { ...(channel !== undefined && { email: channel }), ...(all !== undefined && { all }) }
}

function ask(
  subscriberWorkflow: Choices | null,
  subscriberGlobal: Choices | null,
  preferences: WorkflowPreferences | null,
  critical = false,
): Decision {
  return resolvePreference({
    workflow: { critical, preferences },
    channel: 'email',
    subscriberGlobal,
    subscriberWorkflow,
  })
}

/** Every combination of n slots. */
function combinations(n: number): Given[][] {
  return n === 0 ? [[]] : combinations(n - 1).flatMap((rest) => any.map((value) => [...rest, value]))
}

test('the truth table: 6,561 combinations of eight slots; the first that says something decides, critical before all', () => {
  const all = combinations(8)
  expect(all).toHaveLength(6561)
  for (const slots of all) {
    const [a, b, c, d, e, f, g, h] = slots
    const preferences = { user: layer(e, f), workflow: layer(g, h) }
    const expected = slots.find((slot) => slot !== undefined) ?? true
    const found = ask(choices(a, b), choices(c, d), preferences)
    if (found.enabled !== expected) throw new Error(`${slots}: ${JSON.stringify(found)}`)
    if (!ask(choices(a, b), choices(c, d), preferences, true).enabled) throw new Error(`${slots}: critical, and off`)
  }
})

test('read-only and not critical: what subscribers chose does not count, what the team set does', () => {
  for (const slots of combinations(8)) {
    const [a, b, c, d, e, f, g, h] = slots
    const preferences = { user: layer(e, f, true), workflow: layer(g, h) }
    const found = ask(choices(a, b), choices(c, d), preferences)
    expect(found.enabled).toBe(slots.slice(4).find((slot) => slot !== undefined) ?? true)
    expect(found.by).not.toBe('subscriber')
  }
  expect(isReadOnly({ critical: false, preferences: { workflow: layer(true, true, true) } })).toBe(true)
  expect(isReadOnly({ critical: true, preferences: null })).toBe(true)
  expect(isReadOnly({ critical: false, preferences: { user: layer(true, true) } })).toBe(false)
})

describe('why', () => {
  test.each<[Decision['by'], string, Decision]>([
    ['critical', 'The workflow is critical: preferences do not apply', ask({ email: false }, null, null, true)],
    ['subscriber', 'E-mail is turned off by the subscriber for this workflow', ask({ email: false }, null, null)],
    ['subscriber', 'All channels are turned off by the subscriber for this workflow', ask({ all: false }, null, null)],
    [
      'subscriber',
      'E-mail is turned on by the subscriber for this workflow',
      ask({ email: true, all: false }, null, null),
    ],
    ['subscriber', 'E-mail is turned off by the subscriber for all workflows', ask(null, { email: false }, null)],
    ['subscriber', 'All channels are turned off by the subscriber for all workflows', ask(null, { all: false }, null)],
    ['workflow', 'E-mail is turned off by the team for this workflow', ask(null, null, { user: layer(false, true) })],
    [
      'workflow',
      'All channels are turned off by the team for this workflow',
      ask(null, null, { user: layer(undefined, false) }),
    ],
    ['workflow', 'E-mail is turned off by default in this workflow', ask(null, null, { workflow: layer(false, true) })],
    [
      'workflow',
      'All channels are turned off by default in this workflow',
      ask({}, {}, { user: null, workflow: layer(undefined, false) }),
    ],
    ['default', 'No preference says otherwise', ask(null, null, null)],
    [
      'default',
      'No preference says otherwise',
      ask({ email: null, all: null }, { sms: false }, { user: {}, workflow: {} }),
    ],
  ])('%s: %s', (by, why, decision) => {
    expect(decision).toMatchObject({ by, why })
  })
})
