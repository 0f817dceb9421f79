import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { api, makeApi } from '../../../api/client.ts'
import type { Organization } from '../../../api/types.ts'
import { sessionQuery, useSession } from '../../../lib/session.ts'
import { toast } from '../../../ui/toast.tsx'

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => api.get('/v1/organization', { signal }),
})

export type OrganizationChange = Partial<Pick<Organization, 'name' | 'mail' | 'requireTwoFactor' | 'passwords'>>

/** What is not given stays. */
export function useChange(saved: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: OrganizationChange) => api.patch('/v1/organization', { body }),
    onSuccess: async (organization) => {
      queries.setQueryData(organizationQuery.queryKey, organization)
      // Its name stands at the top of every page.
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      toast.ok(saved)
    },
  })
}

/** One that could send our mails, and where it is. */
export type MailSender = { value: string; label: string; disabled: boolean }

export const senderValue = (it: { environmentId: string; integrationId: string } | null) =>
  it ? `${it.environmentId} ${it.integrationId}` : ''

/** The e-mail integrations of all environments that who is signed in can go to; null: not all have answered. */
export function useMailSenders(): { senders: readonly MailSender[] | null; error: Error | null } {
  const { environments } = useSession()
  const asked = useQueries({
    queries: environments.map(({ id, slug, name }) => ({
      queryKey: ['mail-senders', id],
      queryFn: async () => {
        const all = await makeApi(() => slug).get('/v1/integrations')
        return all
          .filter(({ channel }) => channel === 'email')
          .map((it): MailSender => {
            const value = senderValue({ environmentId: id, integrationId: it._id })
            return { value, label: `${name}: ${it.name}${it.active ? '' : ' (switched off)'}`, disabled: !it.active }
          })
      },
    })),
  })
  const error = asked.find((it) => it.error)?.error ?? null
  const isWhole = asked.every(({ data }) => data !== undefined)
  return { senders: isWhole ? asked.flatMap(({ data = [] }) => data) : null, error }
}
