import { createContext, type ReactNode, useContext } from 'react'

const ReadOnlyContext = createContext(false)

/** Whether what is around says that it is to be read, and not changed. */
export function useReadOnly(): boolean {
  return useContext(ReadOnlyContext)
}

/** All fields inside can be read and copied, and not changed. `when={false}` takes it back for a part. */
export function ReadOnly({ when, children }: { when: boolean; children: ReactNode }) {
  return <ReadOnlyContext value={when}>{children}</ReadOnlyContext>
}

/** What only whoever may change things has a use for. */
export function IfEditable({ children }: { children: ReactNode }) {
  return useReadOnly() ? null : children
}
