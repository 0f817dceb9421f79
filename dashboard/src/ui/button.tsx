import type { ButtonHTMLAttributes, ReactNode } from 'react'
import type { Permission } from '../lib/may.ts'
import { Anchor, type AnchorProps } from './anchor.tsx'
import { Icon, type IconName } from './icon.tsx'
import { IfMay } from './may.tsx'
import { Spinner } from './spinner.tsx'

type Look = { kind?: 'primary' | 'plain' | 'quiet' | 'danger'; size?: 'sm' | 'md'; icon?: IconName }

const kinds = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft hover:border-bad',
}
const sizes = { sm: 'h-7 px-2 text-sm gap-1.5', md: 'h-8 px-3 text-base gap-1.5' }

export function buttonLooks({ kind = 'plain', size = 'md' }: Look): string {
  const shape = 'inline-flex items-center justify-center rounded-md border font-medium whitespace-nowrap select-none'
  return `${shape} transition-colors disabled:opacity-55 disabled:cursor-not-allowed ${kinds[kind]} ${sizes[size]}`
}

/** Only for those who may do this; others do not see it, and a notice of the page says why. */
type Needs = { needs?: Permission }
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & Look & { busy?: boolean; children?: ReactNode }

export function Button({ needs, ...rest }: ButtonProps & Needs) {
  return guarded(needs, <PlainButton {...rest} />)
}

function guarded(needs: Permission | undefined, button: ReactNode) {
  return needs ? <IfMay needs={needs}>{button}</IfMay> : button
}

function PlainButton({ kind, size, icon, busy, children, className, disabled, type, ...rest }: ButtonProps) {
  const look = buttonLooks({ ...(kind && { kind }), ...(size && { size }) })
  return (
    <button type={type ?? 'button'} className={`${look} ${className ?? ''}`} disabled={disabled || busy} {...rest}>
      {busy ? <Spinner size={14} /> : icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  )
}

/** Only an icon; `label` is what it is called (title and screen readers). */
export function IconButton({ needs, ...rest }: IconButtonProps & Needs) {
  return guarded(needs, <PlainIconButton {...rest} />)
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { label: string; icon: IconName }

function PlainIconButton({ label, icon, className, ...rest }: IconButtonProps) {
  const look =
    'inline-flex size-8 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${look} disabled:opacity-50 ${className ?? ''}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

/** Looks like a button, is a link. */
export function ButtonLink({ kind, size, icon, children, className, ...rest }: AnchorProps & Look) {
  const look = buttonLooks({ ...(kind && { kind }), ...(size && { size }) })
  return (
    <Anchor className={`${look} ${className ?? ''}`} {...rest}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </Anchor>
  )
}
