import { useEffect, useId, useRef } from 'react'

type HtmlFrameProps = { html: string; title: string; height?: number | string }

/**
 * Somebody's HTML as its reader sees it. It is posted into a frame whose answer has a policy of its own: styles work,
 * while scripts, requests and links are dead. A frame by `srcdoc` would have this page's policy and lose its styles.
 */
export function HtmlFrame({ html, title, height = 480 }: HtmlFrameProps) {
  const name = `frame-${useId().replaceAll(/[^a-z0-9]/gi, '')}`
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form carries the new HTML
  useEffect(() => form.current?.submit(), [html])
  return (
    <>
      <iframe
        name={name}
        title={title}
        sandbox=""
        style={{ height }}
        className="w-full rounded-md border border-line bg-white"
      />
      <form ref={form} method="post" encType="text/plain" action="/preview-frame" target={name} hidden>
        <textarea name="html" aria-label={title} readOnly value={html} />
      </form>
    </>
  )
}
