/** An address out of somebody's data: a link only if it is http or https, else text. */
export function SafeLink({ url }: { url: string }) {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
  if (!parsed || !isWeb) return <span className="font-mono text-xs break-all">{url}</span>
  return (
    <a href={parsed.href} target="_blank" rel="noreferrer noopener" className="break-all text-accent hover:underline">
      {url}
    </a>
  )
}
