/** Addresses as many vendors take them. Undefined instead of an empty list, which some refuse. */
export function recipients(addresses: readonly string[]): { email: string }[] | undefined {
  return addresses.length === 0 ? undefined : addresses.map((email) => ({ email }))
}
