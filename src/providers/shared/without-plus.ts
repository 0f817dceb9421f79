/** An international number as vendors want it who take digits only; a sender's name stays as it is. */
export function withoutPlus(number: string): string {
  return number.replace(/^\+(?=\d)/, '')
}
