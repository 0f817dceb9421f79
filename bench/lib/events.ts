export const workflowId = 'bench'
export const bulkPath = '/v1/events/trigger/bulk'
export const singlePath = '/v1/events/trigger'

/** A message as people write them. */
export const inAppSteps = [
  {
    stepId: 'inbox',
    name: 'Inbox',
    type: 'in_app',
    controlValues: {
      subject: 'Order {{payload.order}}',
      body: 'Hello {{subscriber.firstName}}, your order {{payload.order}} of {{payload.total}} is on its way.',
    },
  },
]

/** One event for one person; people come round again and again. */
export function eventOf(order: number, people: number) {
  return { name: workflowId, to: `s-${order % people}`, payload: payloadOf(order) }
}

export const payloadOf = (order: number) => ({ order, total: '49.90 EUR', placed: '2026-03-01T10:00:00Z' })

/** Calls of 100 events (or so many), one person each. */
export function bulkBodies(calls: number, people: number, perCall = 100): Buffer[] {
  return Array.from({ length: calls }, (_, call) => {
    const events = Array.from({ length: perCall }, (_, n) => eventOf(call * perCall + n, people))
    return Buffer.from(JSON.stringify({ events }))
  })
}

/** Calls of one event for 100 people. */
export function crowdBodies(calls: number, people: number): Buffer[] {
  return Array.from({ length: calls }, (_, call) => {
    const to = Array.from({ length: 100 }, (_, n) => `s-${(call * 100 + n) % people}`)
    return Buffer.from(JSON.stringify({ events: [{ name: workflowId, to, payload: payloadOf(call) }] }))
  })
}

/** Calls of one event for one person. */
export function singleBodies(calls: number, people: number): Buffer[] {
  return Array.from({ length: calls }, (_, call) => Buffer.from(JSON.stringify(eventOf(call, people))))
}
