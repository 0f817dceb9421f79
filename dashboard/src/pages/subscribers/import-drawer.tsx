import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportSource } from './import-source.tsx'
import { guessColumns, readSource, toEntries } from './read-people.ts'
import { useImport } from './use-import.ts'

type ImportDrawerProps = { onClose(): void; onDone(): void }

/** Paste or load, look at what was understood, import with progress. */
export function ImportDrawer({ onClose, onDone }: ImportDrawerProps) {
  const [text, setText] = useState('')
  const source = useMemo(() => readSource(text), [text])
  const [columns, setColumns] = useState<string[]>([])
  useEffect(() => setColumns(source.kind === 'csv' ? guessColumns(source.head) : []), [source])
  const entries = useMemo(() => {
    if (source.kind === 'json') return source.entries
    return source.kind === 'csv' ? toEntries(source.head, source.rows, columns) : []
  }, [source, columns])
  const { state, run, stop } = useImport()
  const withId = entries.filter(({ subscriberId }) => Boolean(subscriberId)).length
  const close = async () => {
    if (state.status === 'running') {
      const text = 'What was sent so far stays. The rest is not imported.'
      if (!(await confirm({ title: 'Stop the import?', text, action: 'Stop and close' }))) return
      stop()
    }
    if (state.done > 0) onDone()
    onClose()
  }
  return (
    <Drawer
      open
      size="lg"
      title="Import subscribers"
      description="New ids are added; of known ones the given fields are changed."
      onClose={() => void close()}
      footer={<Footer state={state} count={withId} onRun={() => void run(entries)} onStop={stop} onClose={close} />}
    >
      {state.status === 'ready' ? (
        <div className="flex flex-col gap-6">
          <ImportSource text={text} onText={setText} source={source} />
          {entries.length > 0 && (
            <ImportPreview source={source} columns={columns} onColumns={setColumns} entries={entries} withId={withId} />
          )}
        </div>
      ) : (
        <ImportProgress state={state} />
      )}
    </Drawer>
  )
}

type FooterProps = {
  state: ReturnType<typeof useImport>['state']
  count: number
  onRun(): void
  onStop(): void
  onClose(): Promise<void>
}

function Footer({ state, count, onRun, onStop, onClose }: FooterProps) {
  if (state.status === 'running') return <Button onClick={onStop}>Stop</Button>
  if (state.status === 'done') {
    return (
      <Button kind="primary" onClick={() => void onClose()}>
        Done
      </Button>
    )
  }
  const people = `${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`
  return (
    <>
      <Button onClick={() => void onClose()}>{state.status === 'stopped' ? 'Close' : 'Cancel'}</Button>
      <Button kind="primary" disabled={count === 0} onClick={onRun}>
        {state.status === 'stopped' ? 'Go on' : count === 0 ? 'Import' : `Import ${people}`}
      </Button>
    </>
  )
}
