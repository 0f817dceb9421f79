// A bridge: the workflows of this program are code. Tidings asks it what each step does, for each person.
import { workflow } from '@novu/framework'
import { serve } from '@novu/framework/express'
import express from 'express'

/** Something only your program knows. */
const itemsOf = async (order) => [`A present for order ${order}`, 'A card']

const orderShipped = workflow(
  'order-shipped-code',
  async ({ step, payload, subscriber }) => {
    // Runs here, once for each person. Later steps read what it gives.
    const parcel = await step.custom('parcel', async () => ({ items: await itemsOf(payload.order) }), {
      outputSchema: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string' } } },
        required: ['items'],
        additionalProperties: false,
      },
    })
    const bell = await step.inApp('bell', async () => ({
      subject: `Order ${payload.order} is on its way`,
      body: `${parcel.items.length} things for ${subscriber.firstName}`,
    }))
    // All orders of one person within this time become one mail.
    const { events } = await step.digest('gather', async () => ({ amount: 2, unit: 'seconds' }))
    await step.email(
      'mail',
      async () => ({
        subject: `${events.length} of your orders are on their way`,
        body: `<ul>${events.map((event) => `<li>${event.payload.order}</li>`).join('')}</ul>`,
      }),
      { skip: () => bell.read },
    )
  },
  {
    name: 'Order shipped, as code',
    payloadSchema: {
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
      additionalProperties: false,
    },
  },
)

const port = Number(process.env.PORT ?? 4000)
const app = express()
app.use(express.json({ limit: '2mb' })) // the usual 100 kB are too few for a digest
app.use('/api/novu', serve({ workflows: [orderShipped] }))
app.listen(port, '127.0.0.1', () => console.log(`The bridge is at http://127.0.0.1:${port}/api/novu`))
