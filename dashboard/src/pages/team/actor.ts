import type { ChangeActor } from '../../api/types.ts'

/** What kind of somebody it is: in brackets behind the name. */
export const actorWords: Record<ChangeActor['type'], string> = {
  person: 'person',
  key: 'API key',
  link: 'sign-in link',
  command: 'command',
  service: 'Tidings itself',
}
