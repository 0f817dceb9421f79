import type { Editor } from '@tiptap/core'
import { redo, redoDepth, undo, undoDepth } from '@tiptap/pm/history'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/form/form.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { insertBlock } from './editing/change.ts'
import {
  colorAt,
  lineTypeAt,
  lineTypes,
  linkAt,
  setColor,
  setLineType,
  setLink,
  setSide,
  sideAt,
} from './editing/format.ts'
import { Glyph, type GlyphName } from './glyph.tsx'

const marks = [
  ['bold', 'Bold', 'Ctrl B'],
  ['italic', 'Italic', 'Ctrl I'],
  ['underline', 'Underline', 'Ctrl U'],
  ['strike', 'Strike through', 'Ctrl Shift S'],
  ['code', 'Code', 'Ctrl E'],
] as const
const sides = [
  ['left', 'Align left'],
  ['center', 'Centre'],
  ['right', 'Align right'],
] as const
const lists = [
  ['bulletList', 'bullets', 'Bullet list'],
  ['orderedList', 'numbers', 'Ordered list'],
] as const

/** Everything about letters and lines. One stop of the Tab key; arrows walk in it. */
export function Toolbar({ editor }: { editor: Editor }) {
  const [linking, setLinking] = useState(false)
  const now = useEditorState({
    editor,
    selector: ({ editor: { state } }) => ({
      line: lineTypeAt(state),
      side: sideAt(state),
      color: colorAt(editor),
      link: linkAt(editor),
      on: [...marks.map(([name]) => name), ...lists.map(([name]) => name)].filter((name) => editor.isActive(name)),
      undos: undoDepth(state),
      redos: redoDepth(state),
    }),
  })
  const isOn = (name: string) => (now.on as string[]).includes(name)
  const options = lineTypes.some(({ value }) => value === now.line)
    ? lineTypes
    : [{ value: now.line, label: '—', disabled: true }, ...lineTypes]
  return (
    <div className="border-b border-line">
      <Strip>
        <Tool icon="plus" label="Add a block" onClick={() => openBlocks(editor)} />
        <Tool icon="braces" label="Insert a variable" onClick={() => openVariables(editor)} />
        <Gap />
        <select
          aria-label="Kind of line"
          value={now.line}
          disabled={!now.line || now.line === 'htmlCodeBlock'}
          onChange={(event) => setLineType(editor, event.target.value)}
          className="control h-7 w-auto! px-1 text-sm"
        >
          {options.map((option) => (
            <option key={option.value} {...option} />
          ))}
        </select>
        {marks.map(([name, label, keys]) => (
          <Tool
            key={name}
            glyph={name}
            label={label}
            keys={keys}
            pressed={isOn(name)}
            onClick={() => editor.chain().focus().toggleMark(name).run()}
          />
        ))}
        <Tool
          glyph="link"
          label="Link"
          pressed={now.link !== ''}
          expanded={linking}
          onClick={() => setLinking(!linking)}
        />
        <Colour value={now.color} onColor={(color) => setColor(editor, color)} />
        <Gap />
        {sides.map(([side, label]) => (
          <Tool
            key={side}
            glyph={side}
            label={label}
            pressed={now.side === side}
            disabled={now.side === null}
            onClick={() => setSide(editor, side)}
          />
        ))}
        {lists.map(([name, glyph, label]) => (
          <Tool
            key={name}
            glyph={glyph}
            label={label}
            pressed={isOn(name)}
            onClick={() => editor.chain().focus().toggleList(name, 'listItem').run()}
          />
        ))}
        <Gap />
        <Tool
          glyph="undo"
          label="Undo"
          keys="Ctrl Z"
          disabled={now.undos === 0}
          onClick={() => undo(editor.state, editor.view.dispatch)}
        />
        <Tool
          glyph="redo"
          label="Redo"
          keys="Ctrl Shift Z"
          disabled={now.redos === 0}
          onClick={() => redo(editor.state, editor.view.dispatch)}
        />
      </Strip>
      {linking && <LinkForm key={now.link} editor={editor} href={now.link} onClose={() => setLinking(false)} />}
    </div>
  )
}

/** The menu opens as if somebody had typed what opens it. */
function openBlocks(editor: Editor): void {
  const { paragraph } = editor.schema.nodes
  const tr = paragraph && insertBlock(editor.state, paragraph.create())
  if (tr) editor.view.dispatch(tr)
  editor.chain().focus().insertContent('/').run()
}

const openVariables = (editor: Editor) => editor.chain().focus().insertContent('{{').run()

/** One of its controls can be reached by Tab: the last that was used, else the first. */
function Strip({ children }: { children: ReactNode }) {
  const strip = useRef<HTMLDivElement>(null)
  const controls = () =>
    [...(strip.current?.querySelectorAll<HTMLElement>('button, select, input') ?? [])].filter(
      (it) => !it.matches(':disabled'),
    )
  const stopAt = (stop: Element | undefined) => {
    for (const control of strip.current?.querySelectorAll<HTMLElement>('button, select, input') ?? [])
      control.tabIndex = control === stop ? 0 : -1
  }
  useEffect(() => {
    const all = controls()
    stopAt(all.find((it) => it.tabIndex === 0 && all.filter((one) => one.tabIndex === 0).length === 1) ?? all[0])
  })
  const walk = (event: KeyboardEvent) => {
    const all = controls()
    const at = all.indexOf(event.target as HTMLElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    all[to % all.length]?.focus()
  }
  return (
    <div
      ref={strip}
      role="toolbar"
      aria-label="Format"
      onKeyDown={walk}
      onFocus={(event) => stopAt(event.target)}
      className="flex flex-wrap items-center gap-0.5 p-1"
    >
      {children}
    </div>
  )
}

const Gap = () => <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />

type ToolProps = {
  label: string
  glyph?: GlyphName
  icon?: IconName
  keys?: string
  pressed?: boolean
  expanded?: boolean
  disabled?: boolean
  onClick(): void
}

function Tool({ label, glyph, icon, keys, pressed, expanded, disabled, onClick }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      disabled={disabled}
      // The caret stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className={`inline-flex size-7 items-center justify-center rounded transition-colors disabled:opacity-40 ${
        pressed ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink'
      }`}
    >
      {icon ? <Icon name={icon} /> : glyph && <Glyph name={glyph} />}
    </button>
  )
}

function Colour({ value, onColor }: { value: string; onColor(color: string): void }) {
  return (
    <span className="inline-flex items-center">
      <input
        type="color"
        aria-label="Colour of the text"
        title="Colour of the text"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#808080'}
        onChange={(event) => onColor(event.target.value)}
        className="block-swatch"
      />
      {value && (
        <button
          type="button"
          aria-label="Without a colour"
          title="Without a colour"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onColor('')}
          className="inline-flex size-6 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}

function LinkForm({ editor, href, onClose }: { editor: Editor; href: string; onClose(): void }) {
  const [address, setAddress] = useState(href)
  const set = (to: string) => {
    setLink(editor, to.trim())
    onClose()
  }
  return (
    <form
      className="flex flex-wrap items-end gap-2 border-t border-line p-2"
      onSubmit={(event) => {
        event.preventDefault()
        set(address)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        onClose()
        editor.commands.focus()
      }}
    >
      <Field label="Address of the link" hideLabel className="min-w-40 flex-1">
        <Input autoFocus placeholder="https://… or {{payload.url}}" value={address} onText={setAddress} />
      </Field>
      <Button kind="primary" type="submit" disabled={!address.trim()}>
        Set link
      </Button>
      {href && <Button onClick={() => set('')}>Remove link</Button>}
    </form>
  )
}
