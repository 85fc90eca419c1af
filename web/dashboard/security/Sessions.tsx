import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { isStale } from '../session/again.ts'
import { endOtherSessions, endSession, listSessions } from '../session/auth.ts'
import { Problem } from '../session/request.ts'
import { deviceName } from './deviceName.ts'

const SESSIONS = ['sessions'] as const

/** The user's sessions; each can end any other. */
export function Sessions({ current }: { readonly current: string | undefined }) {
  const { words } = usePage()
  const client = useQueryClient()
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: () => listSessions() })
  const isOld = sessions.error instanceof Problem && isStale(sessions.error.code)
  const end = (work: Promise<unknown>) => work.then(() => sessions.refetch())
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">{words.say('sessionsTitle')}</h2>
      {sessions.isPending && <Skeleton rows={2} />}
      {isOld && (
        <ActionButton
          label={words.say('showSessions')}
          onAction={async () => client.setQueryData(SESSIONS, await listSessions(true))}
        />
      )}
      {sessions.isError && !isOld && (
        <Failed error={sessions.error} onRetry={() => sessions.refetch()} />
      )}
      {sessions.data && (
        <Table
          label={words.say('sessionsTitle')}
          columns={[
            {
              ...{ name: words.say('device'), kind: 'long', phone: 'start' },
              cell: ({ id, userAgent }) => (
                <span title={userAgent ?? ''}>
                  {deviceName(userAgent ?? '')}{' '}
                  {id === current && <Pill tone="good" text={words.say('thisDevice')} />}
                </span>
              ),
            },
            {
              ...{ name: words.say('auditAddress'), kind: 'long', phone: 'below' },
              cell: ({ ipAddress }) => ipAddress,
            },
            {
              ...{ name: words.say('time'), phone: 'below' },
              cell: ({ createdAt }) => <Moment at={createdAt} />,
            },
            {
              ...{ name: words.say('devActions'), kind: 'actions', phone: 'end' },
              cell: ({ token }) => (
                <button type="button" class="quiet risky" onClick={() => end(endSession(token))}>
                  {words.say('signOut')}
                </button>
              ),
            },
          ]}
          rows={sessions.data}
          keyOf={({ id }) => id}
        />
      )}
      <div class="actions">
        <button type="button" class="risky" onClick={() => end(endOtherSessions())}>
          {words.say('signOutOthers')}
        </button>
      </div>
    </section>
  )
}
