import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'

export function CopyText({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setCopied(true)
  }
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  )
}
