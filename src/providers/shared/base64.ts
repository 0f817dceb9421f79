export function base64(content: Uint8Array): string {
  return Buffer.from(content).toString('base64')
}
