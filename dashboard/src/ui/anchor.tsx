import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { addressOf } from '../lib/address.ts'
import { ownEnvironment } from '../lib/environment.ts'
import { useFollow } from '../lib/follow.ts'

export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

/**
 * A link to a page (`paths.ts`), or to one in another environment by its whole address. A left click does not load the
 * page anew if it stays in its environment; anything else is the browser's.
 */
export function Anchor({ href, onClick, ...rest }: AnchorProps) {
  const follow = useFollow()
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain || rest.target) return
    event.preventDefault()
    follow(href)
  }
  return <a href={addressOf(ownEnvironment(), href)} onClick={click} {...rest} />
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
