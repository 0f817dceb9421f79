/** Loads nothing and runs no script. */
export function connectPage({ ok, text }: { ok: boolean; text: string }): string {
  const title = ok ? 'Connected' : 'Not connected'
  const next = ok ? 'You can close this window.' : ''
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1rem system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem;text-align:center}</style>
</head>
<body><h1>${title}</h1><p>${escaped(text)}</p><p>${next}</p></body>
</html>
`
}

/** The words may be a vendor's. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
