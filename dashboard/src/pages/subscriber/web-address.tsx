/** An address out of somebody's data: a link only if it is one of the web, else plain text. */
export function WebAddress({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="block text-sm break-all text-muted">{url}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="block text-sm break-all text-accent underline-offset-2 hover:underline"
    >
      {url}
    </a>
  )
}
