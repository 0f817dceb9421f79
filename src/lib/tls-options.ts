/**
 * The TLS options a tenant may set: none that could point the connection elsewhere (host, port, path, socket, lookup
 * …).
 */
export const tlsOptionNames = [
  'rejectUnauthorized',
  'minVersion',
  'maxVersion',
  'ciphers',
  'servername',
  'ca',
  'cert',
  'key',
  'passphrase',
] as const
export type TlsOptionName = (typeof tlsOptionNames)[number]

export function isTlsOptionName(name: string): name is TlsOptionName {
  return tlsOptionNames.some((known) => known === name)
}

/** Shown only masked; the others are public or a choice. */
export function isSecretTlsOption(name: string): boolean {
  return name === 'key' || name === 'passphrase' || !isTlsOptionName(name)
}
