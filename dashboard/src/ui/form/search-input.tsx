import { useEffect, useState } from 'react'
import { Icon } from '../icon.tsx'
import { Kbd } from '../kbd.tsx'

type SearchInputProps = {
  label: string
  placeholder?: string
  value: string
  onSearch(value: string): void
  className?: string
}

/** The page's search field: `/` goes to it, and it asks 250 ms after the last stroke. */
export function SearchInput({ label, placeholder, value, onSearch, className }: SearchInputProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onSearch(text.trim()), 250)
    return () => clearTimeout(timer)
  })
  return (
    <div className={`relative w-full sm:w-72 ${className ?? ''}`}>
      <Icon
        name="search"
        size={14}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint"
      />
      <input
        type="search"
        data-page-search
        aria-label={label}
        placeholder={placeholder ?? label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        className="control h-8 pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden"
      />
      {!text && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute max-sm:hidden top-1/2 right-1.5 -translate-y-1/2"
        >
          <Kbd keys="/" />
        </span>
      )}
    </div>
  )
}
