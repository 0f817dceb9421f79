import { lazy, Suspense } from 'react'
import { SkeletonLines } from '../ui/spinner.tsx'
import type { BlockEditorProps } from './block-editor.tsx'

const Loaded = lazy(() => import('./block-editor.tsx'))

/** The block editor, fetched when it is first shown: it is larger than all pages together. */
export function BlockEditor(props: BlockEditorProps) {
  return (
    <Suspense fallback={<SkeletonLines lines={6} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
