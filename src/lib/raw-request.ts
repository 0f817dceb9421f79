/** A request as it came, for those that prove themselves without a key. */
export type RawRequest = {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  /** As the caller was told it: under PUBLIC_URL where there is one. */
  url: string
}
