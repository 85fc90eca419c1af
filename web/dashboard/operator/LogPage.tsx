import { useQuery } from '@tanstack/preact-query'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData } from '../session/request.ts'
import { operatorApi } from './api.ts'

interface EntryJson {
  readonly id: string
  readonly at: string
  readonly actorName: string
  readonly action: string
  readonly objectId: string | null
  readonly after: unknown
  readonly address: string | null
  readonly status: number | null
}

interface OperatorJson {
  readonly email: string
  readonly hasSecondFactor: boolean
  readonly createdAt: string
}

/** Who runs the deployment, and what they have changed, here and by command. */
export function LogPage() {
  const { words } = usePage()
  const operators = useQuery({
    queryKey: ['operator', '/operators'],
    queryFn: () => getData<readonly OperatorJson[]>(operatorApi('/operators')),
  })
  const entries = useQuery({
    queryKey: ['operator', '/audit'],
    queryFn: () => getData<readonly EntryJson[]>(operatorApi('/audit')),
  })
  return (
    <>
      <section class="card" aria-labelledby="people">
        <h2 id="people">{words.say('opPeople')}</h2>
        <p class="hint">{words.say('opPeopleHint')}</p>
        {operators.isPending && <Skeleton rows={2} />}
        {operators.isError && (
          <Failed error={operators.error} onRetry={() => operators.refetch()} />
        )}
        <ul class="lines">
          {operators.data?.map(({ email, hasSecondFactor, createdAt }) => (
            <li key={email}>
              <span class="long">
                {email} <Moment at={createdAt} />
              </span>
              <Pill
                tone={hasSecondFactor ? 'good' : 'warn'}
                text={words.say(hasSecondFactor ? 'opHasFactor' : 'opNoFactor')}
              />
            </li>
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="changes">
        <h2 id="changes">{words.say('opChanges')}</h2>
        {entries.isPending && <Skeleton rows={6} />}
        {entries.isError && <Failed error={entries.error} onRetry={() => entries.refetch()} />}
        {entries.data?.length === 0 && <p class="hint">{words.say('opNoChange')}</p>}
        <ul class="lines">
          {entries.data?.map(({ id, at, actorName, action, objectId, after, address, status }) => (
            <li key={id}>
              <span class="long">
                <b>{action}</b> {after === null ? objectId : JSON.stringify(after)}{' '}
                <small class="hint">
                  {actorName} {address} <Moment at={at} />
                </small>
              </span>
              {status !== null && (
                <Pill tone={status < 400 ? 'good' : 'bad'} text={String(status)} />
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
