/** Addresses as many vendors take them; undefined for none, since some refuse an empty list. */
export function recipients(addresses: readonly string[]): { email: string }[] | undefined {
  return addresses.length === 0 ? undefined : addresses.map((email) => ({ email }))
}
