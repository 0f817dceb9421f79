import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'

type UsersProps = { users: readonly { name: string; workflowId: string }[] }

/** The workflows that use a layout, each with a link. */
export function Users({ users }: UsersProps) {
  return (
    <ul className="flex max-h-80 flex-col gap-1.5 overflow-y-auto">
      {users.map(({ name, workflowId }) => (
        <li key={workflowId} className="min-w-0 break-words">
          <TextLink href={paths.workflow(workflowId)}>{name}</TextLink>{' '}
          <span className="font-mono text-xs text-muted">{workflowId}</span>
        </li>
      ))}
    </ul>
  )
}
