import { Button, IconButton } from '../../../../ui/button.tsx'
import { Input, Select } from '../../../../ui/form/form.tsx'
import { roles, roleWords } from '../../members/roles/roles.ts'
import type { Draft } from './draft.ts'

type GroupRolesProps = { value: Draft['groupRoles']; onChange(value: Draft['groupRoles']): void }

/** In order: the first group that somebody is in says what they are. */
export function GroupRoles({ value, onChange }: GroupRolesProps) {
  const set = (index: number, part: Partial<Draft['groupRoles'][number]>) =>
    onChange(value.map((it, at) => (at === index ? { ...it, ...part } : it)))
  const toTop = (index: number) => {
    const moved = value[index]
    if (moved) onChange([moved, ...value.filter((_, at) => at !== index)])
  }
  return (
    <div role="group" aria-label="Groups and roles" className="flex flex-col gap-2">
      {value.map(({ group, role }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name until it is typed.
        <div key={index} className="flex items-center gap-2">
          <Input
            aria-label={`Group ${index + 1}`}
            placeholder="Name or id at the issuer"
            value={group}
            onText={(text) => set(index, { group: text })}
            className="min-w-0 flex-1"
          />
          <Select
            aria-label={`Role of group ${index + 1}`}
            value={role}
            onText={(text) => set(index, { role: text })}
            options={roles.map((name) => ({ value: name, label: roleWords[name].name }))}
            className="w-28"
          />
          <IconButton
            icon="chevron"
            label={`Move group ${index + 1} to the top`}
            disabled={index === 0}
            className="-rotate-90"
            onClick={() => toTop(index)}
          />
          <IconButton
            icon="trash"
            label={`Remove group ${index + 1}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="sm" icon="plus" onClick={() => onChange([...value, { group: '', role: 'viewer' }])}>
          Add a group
        </Button>
      </div>
    </div>
  )
}
