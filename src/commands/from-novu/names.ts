/** What is built in has the vendor's prefix there, and another one here. */
export function ourName(providerId: unknown): unknown {
  if (typeof providerId !== 'string') return providerId
  return providerId.replace(/^novu(?=(-email|-sms|-slack)?$)/, 'platform')
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
