import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toast } from '../parts/Toasts.tsx'
import type { ScheduleJson } from '../reports/Schedules.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

/** Which emails the signed-in user wants of this merchant. */
export function NotificationSettings({
  merchantId,
  role,
}: Pick<PlaceProps, 'merchantId' | 'role'>) {
  const { words } = usePage()
  const client = useQueryClient()
  const path = merchantApi(merchantId, '/v1/notifications')
  const schedules = merchantApi(merchantId, '/v1/report-schedules')
  const queryKey = ['notifications', merchantId]
  const found = useQuery({
    queryKey,
    queryFn: async () => {
      const [{ approvals }, scheduled] = await Promise.all([
        getData<{ readonly approvals: boolean }>(path),
        getData<readonly ScheduleJson[]>(schedules),
      ])
      return { approvals, held: scheduled.find(({ report }) => report === 'held') ?? null }
    },
  })
  if (found.isPending) return <Skeleton rows={4} />
  if (found.isError) return <Failed error={found.error} onRetry={() => found.refetch()} />
  const { approvals, held } = found.data
  const mayApprove = may(role, 'approveRequest')

  async function save(fields: FormData): Promise<void> {
    if (mayApprove) await request('POST', path, { approvals: fields.has('approvals') })
    if (fields.has('held') && held === null) {
      const locale = words.locale === 'de' ? 'de' : 'en'
      await request('POST', schedules, { report: 'held', every: 'event', locale })
    } else if (!fields.has('held') && held !== null) {
      await request('DELETE', `${schedules}/${held.id}`)
    }
    await Promise.all([
      client.invalidateQueries({ queryKey }),
      client.invalidateQueries({ queryKey: ['schedules', merchantId] }),
    ])
    toast(words.say('notificationsSaved'))
  }
  return (
    <section class="card" aria-labelledby="notifications">
      <h2 id="notifications">{words.say('notifications')}</h2>
      <p class="hint">{words.say('notificationsHint')}</p>
      <Form action={words.say('save')} onSend={save}>
        {mayApprove && (
          <label class="check">
            <input type="checkbox" name="approvals" defaultChecked={approvals} />{' '}
            {words.say('notifyApprovals')}
          </label>
        )}
        <label class="check">
          <input type="checkbox" name="held" defaultChecked={held !== null} />{' '}
          {words.say('notifyHeld')}
        </label>
      </Form>
      <p>
        <a href={placePath(merchantId, 'reports')}>{words.say('scheduledReports')}</a>
      </p>
    </section>
  )
}
