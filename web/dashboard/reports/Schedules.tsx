import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Form } from '../forms/Form.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

export interface ScheduleJson {
  readonly id: string
  readonly report: keyof typeof REPORTS
  readonly every: keyof typeof INTERVALS | 'event'
  readonly dueAt: string
  readonly sentAt: string | null
}

const REPORTS = {
  transactions: 'scheduleTransactions',
  days: 'scheduleDays',
  held: 'recoveries',
} as const
const INTERVALS = { day: 'everyDay', week: 'everyWeek', month: 'everyMonth' } as const

/** Reports by email, to the signed-in user. */
export function Schedules({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const client = useQueryClient()
  const path = merchantApi(merchantId, '/v1/report-schedules')
  const queryKey = ['schedules', merchantId]
  const [chosen, setChosen] = useState('transactions')
  const found = useQuery({ queryKey, queryFn: () => getData<readonly ScheduleJson[]>(path) })

  async function add(fields: FormData): Promise<void> {
    const report = String(fields.get('report'))
    // Held money is reported as it comes.
    const every = report === 'held' ? 'event' : String(fields.get('every'))
    await request('POST', path, { report, every, locale: words.locale === 'de' ? 'de' : 'en' })
    await client.invalidateQueries({ queryKey })
    toastDone(words, 'audit_createReportSchedule', placePath(merchantId, 'reports'))
  }
  async function end(id: string): Promise<void> {
    await request('DELETE', `${path}/${id}`)
    await client.invalidateQueries({ queryKey })
    toastDone(words, 'audit_deleteReportSchedule', placePath(merchantId, 'reports'))
  }
  return (
    <section class="card" aria-labelledby="schedules">
      <h2 id="schedules">{words.say('schedules')}</h2>
      <p class="hint">{words.say('schedulesHint')}</p>
      {found.isPending && <Skeleton rows={2} />}
      {found.isError && <Failed error={found.error} onRetry={() => found.refetch()} />}
      <ul class="lines">
        {found.data?.map(({ id, report, every, dueAt }) => (
          <li key={id}>
            <span>
              {words.say(REPORTS[report])}
              {every !== 'event' && (
                <>
                  , {words.say(INTERVALS[every])}
                  <small class="hint">
                    {' '}
                    {words.say('nextReport')} <Moment at={dueAt} />
                  </small>
                </>
              )}
            </span>
            <button type="button" class="quiet" onClick={() => end(id)}>
              {words.say('deleteNow')}
            </button>
          </li>
        ))}
      </ul>
      <Form action={words.say('addSchedule')} onSend={add}>
        <label class="field">
          <span>{words.say('scheduleWhat')}</span>
          <select
            class="wide"
            name="report"
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {Object.entries(REPORTS).map(([name, word]) => (
              <option key={name} value={name}>
                {words.say(word)}
              </option>
            ))}
          </select>
        </label>
        {chosen !== 'held' && (
          <label class="field">
            <span>{words.say('scheduleFrequency')}</span>
            <select class="wide" name="every">
              {Object.entries(INTERVALS).map(([name, word]) => (
                <option key={name} value={name}>
                  {words.say(word)}
                </option>
              ))}
            </select>
          </label>
        )}
      </Form>
    </section>
  )
}
