import type { OwnStepType, Step, Values } from './draft.ts'
import { channelKinds, waitKinds } from './steps/step-types.ts'

type StarterStep = {
  stepId: string
  name: string
  type: OwnStepType
  controlValues: Values
  when?: NonNullable<Step['when']>
}
export type Starter = { name: string; about: string; steps: StarterStep[] }

function step(type: OwnStepType, stepId: string, values?: Values): StarterStep {
  const kind = [...channelKinds, ...waitKinds].find((one) => one.type === type)
  return { stepId, name: kind?.name ?? type, type, controlValues: { ...kind?.start, ...values } }
}

const gatheredMail =
  '<p>Since the last time:</p>\n<ul>\n{% for event in step.events %}\n  <li>{{ event.title }}</li>\n{% endfor %}\n</ul>'

/** Whole small workflows, to change rather than to begin from nothing. */
export const starters: readonly Starter[] = [
  { name: 'A message in the app', about: 'One in-app step.', steps: [step('in_app', 'in-app')] },
  { name: 'An e-mail', about: 'One e-mail step.', steps: [step('email', 'email')] },
  {
    name: 'In-app, e-mail if unread',
    about: 'Mails those who have not read it after an hour.',
    steps: [
      step('in_app', 'in-app'),
      step('delay', 'wait'),
      { ...step('email', 'email'), when: { stepId: 'in-app', is: 'unread' } },
    ],
  },
  {
    name: 'Digest by e-mail',
    about: 'Gathers for 30 minutes, then mails once.',
    steps: [
      step('digest', 'gather'),
      step('email', 'email', { subject: '{{ step.eventCount }} things happened', body: gatheredMail }),
    ],
  },
  { name: 'Nothing', about: 'Add the steps yourself.', steps: [] },
]
