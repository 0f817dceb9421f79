import type { DeadLetter, Integration } from '../../api/types.ts'
import { channelIcon, channelName } from '../../lib/channels.ts'
import { Checkbox } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { personName } from '../activity/steps.ts'

type Choice = {
  chosen: ReadonlySet<string>
  /** How many are loaded. */
  all: number
  toggle(id: string, on: boolean): void
  toggleAll(on: boolean): void
  integrations: ReadonlyMap<string, Integration>
}

/** Only those choose who may redrive. */
export function columnsOf(choice: Choice, mayRedrive: boolean): Column<DeadLetter>[] {
  return [...(mayRedrive ? [chooseColumn(choice)] : []), messageColumn, whyColumn(choice.integrations), ...restColumns]
}

function chooseColumn({ chosen, all, toggle, toggleAll }: Choice): Column<DeadLetter> {
  return {
    id: 'choose',
    header: 'Choose',
    width: '1.25rem',
    head: () => (
      <Checkbox
        label="Choose all that are loaded"
        hideLabel
        className="align-middle"
        checked={all > 0 && chosen.size === all}
        onChange={(event) => toggleAll(event.target.checked)}
      />
    ),
    cell: (letter) => (
      <Checkbox
        label={`Choose ${titleOf(letter)} to ${addressOf(letter)}`}
        hideLabel
        className="relative z-10 align-middle"
        checked={chosen.has(letter._id)}
        onChange={(event) => toggle(letter._id, event.target.checked)}
      />
    ),
  }
}

const messageColumn: Column<DeadLetter> = {
  id: 'message',
  header: 'Message',
  opens: true,
  width: 'minmax(0, 1fr)',
  cell: (letter) => (
    <span className="flex min-w-0 items-center gap-3">
      <span title={channelName(letter.channel)} className="hidden text-muted sm:block">
        <Icon name={channelIcon(letter.channel)} />
        <span className="sr-only">{channelName(letter.channel)}: </span>
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">{titleOf(letter)}</span>
        <span className="block truncate text-sm text-muted">
          {personName(letter.subscriber)} · {addressOf(letter)}
        </span>
        <span className="block truncate text-sm text-bad sm:hidden">{whyOf(letter)}</span>
      </span>
    </span>
  ),
}

/** The vendor's own words: they say what to mend. */
const whyColumn = (integrations: Choice['integrations']): Column<DeadLetter> => ({
  id: 'why',
  header: 'Why',
  from: 'sm',
  width: 'minmax(0, 1.2fr)',
  cell: (letter) => {
    const integration = letter.integrationId ? integrations.get(letter.integrationId)?.name : undefined
    return (
      <span className="block min-w-0" title={letter.errorText}>
        <span className="line-clamp-2 text-sm leading-[18px] break-words whitespace-normal">{whyOf(letter)}</span>
        <span className="block truncate text-sm text-muted">{integration ?? letter.providerId}</span>
      </span>
    )
  },
})

const restColumns: Column<DeadLetter>[] = [
  {
    id: 'tries',
    header: 'Tries',
    from: 'md',
    width: '3rem',
    align: 'right',
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'at',
    header: 'Made',
    from: 'md',
    width: '6.5rem',
    align: 'right',
    cell: ({ createdAt }) => (
      <span className="text-muted">
        <Time at={createdAt} />
      </span>
    ),
  },
]

const reasons: Record<string, string> = {
  delivery_expired: 'Its time was over before a provider took it',
  integration_refused: 'Every integration refused us',
  delivery_unknown: 'It may have been sent: no provider gave a clear answer',
}

const whyOf = ({ errorText, errorId = '' }: DeadLetter) => errorText ?? reasons[errorId] ?? errorId
const titleOf = ({ subject, channel, content, template }: DeadLetter) =>
  subject || (channel !== 'email' && typeof content === 'string' && content) || template?.name || 'Message'
const addressOf = ({ email, phone, channel }: DeadLetter) => email ?? phone ?? channelName(channel)
