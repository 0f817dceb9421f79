import type { StepFilter } from './step-filter.ts'

type Operator = StepFilter['children'][number]['operator']

/** In words. Without the condition's own value: together with “met” it would tell what the payload holds. */
export const operatorWords: Record<Operator, string> = {
  EQUAL: 'equals the value asked for',
  NOT_EQUAL: 'differs from the value asked for',
  LARGER: 'is larger than the limit',
  LARGER_EQUAL: 'is at least the limit',
  SMALLER: 'is smaller than the limit',
  SMALLER_EQUAL: 'is at most the limit',
  BETWEEN: 'is between the limits',
  NOT_BETWEEN: 'is not between the limits',
  LIKE: 'contains the text asked for',
  NOT_LIKE: 'does not contain the text asked for',
  IN: 'is one of the list',
  NOT_IN: 'is none of the list',
  ANY_IN: 'has any of the list',
  ALL_IN: 'has all of the list',
}
