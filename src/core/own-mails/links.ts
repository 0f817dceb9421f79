/** A page of the dashboard. What is behind the # is sent to nobody. Without an address the page knows where it is. */
export function linkTo(address: string, page: 'accept' | 'reset', token: string): string {
  return `${address}/${page}#token=${token}`
}
