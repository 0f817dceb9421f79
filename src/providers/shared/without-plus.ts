/** For vendors that take only digits: an international number without its `+`. A sender's name stays as it is. */
export function withoutPlus(number: string): string {
  return number.replace(/^\+(?=\d)/, '')
}
