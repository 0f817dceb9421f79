/** A request as it came, for callers that sign it instead of sending an API key. */
export type RawRequest = {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  /** The URL that the caller was given: under PUBLIC_URL if that is set. */
  url: string
}
