/** The value of an `authorization` header (RFC 7617), the pair as UTF-8. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}
