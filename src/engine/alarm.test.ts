import { expect, test } from 'vitest'
import { createAlarm } from './alarm.ts'

// Fixed: what counts is how far a moment is ahead of it.
const start = new Date('2026-01-01T00:00:00Z')
const inMs = (ms: number) => new Date(start.getTime() + ms)
const never = new AbortController().signal
// Far longer than any pause that is to end early, on a machine however busy.
const longMs = 600_000

async function took(work: Promise<void>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

test('a pause ends at the moment that became known before it began, and not earlier', async () => {
  const alarm = createAlarm(() => start)
  alarm.begin()
  alarm.ringAt(inMs(300))
  alarm.ringAt(inMs(longMs))
  expect(await took(alarm.pause(longMs, never))).toBeGreaterThanOrEqual(290)
})

test('a pause ends at the moment that becomes known while it lasts, the earliest of several', async () => {
  const alarm = createAlarm(() => start)
  alarm.begin()
  const pause = took(alarm.pause(longMs, never))
  alarm.ringAt(inMs(longMs / 2))
  alarm.ringAt(inMs(300))
  alarm.ringAt(inMs(longMs / 3))
  expect(await pause).toBeGreaterThanOrEqual(290)
})

test('a moment later than the end of the pause changes nothing', async () => {
  const alarm = createAlarm(() => start)
  alarm.begin()
  const pause = alarm.pause(50, never)
  alarm.ringAt(inMs(longMs))
  await pause
})

test('moments that are past or due at once do not end a pause before its shortest time', async () => {
  const alarm = createAlarm(() => start)
  alarm.begin()
  alarm.ringAt(inMs(-5_000))
  expect(await took(alarm.pause(longMs, never))).toBeGreaterThanOrEqual(19)
})

test('what became known before the last look is forgotten: the look has seen it', async () => {
  const alarm = createAlarm(() => start)
  alarm.ringAt(inMs(0))
  alarm.begin()
  expect(await took(alarm.pause(300, never))).toBeGreaterThanOrEqual(290)
})

test('a pause ends when the worker stops, and does not begin after that', async () => {
  const stopping = new AbortController()
  const alarm = createAlarm(() => start)
  const pause = alarm.pause(longMs, stopping.signal)
  stopping.abort()
  await pause
  await alarm.pause(longMs, stopping.signal)
})
