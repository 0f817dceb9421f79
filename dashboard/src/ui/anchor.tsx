import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

/** A link inside the dashboard, by plain address: a left click does not load the page anew, anything else is the browser's. */
export function Anchor({ href, onClick, ...rest }: AnchorProps) {
  const router = useRouter()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain || rest.target) return
    event.preventDefault()
    router.history.push(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}

/** A link in running text. */
export function TextLink({ className, ...rest }: AnchorProps) {
  return (
    <Anchor
      className={`text-accent underline-offset-2 hover:text-accent-hover hover:underline ${className ?? ''}`}
      {...rest}
    />
  )
}
