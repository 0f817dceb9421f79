const texts = {
  ask: ['Unsubscribe', 'Do you want no more of these e-mails?'],
  done: ['Unsubscribed', 'You will get no more of these e-mails.'],
} as const

/** Loads nothing, runs no script, and does not show whom it is about. */
export function unsubscribePage(step: keyof typeof texts): string {
  const [title, text] = texts[step]
  const form =
    step === 'ask'
      ? '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>'
      : ''
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1rem system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem;text-align:center}button{font:inherit;padding:.5rem 1.5rem}</style>
</head>
<body><h1>${title}</h1><p>${text}</p>${form}</body>
</html>
`
}
