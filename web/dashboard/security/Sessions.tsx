import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { isStale } from '../session/again.ts'
import { endOtherSessions, endSession, listSessions } from '../session/auth.ts'
import { Problem } from '../session/request.ts'

const SESSIONS = ['sessions'] as const

/** The user's sessions; each can end any other. */
export function Sessions() {
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
          class="wide"
          onAction={async () => client.setQueryData(SESSIONS, await listSessions(true))}
        />
      )}
      {sessions.isError && !isOld && (
        <Failed error={sessions.error} onRetry={() => sessions.refetch()} />
      )}
      <ul class="lines">
        {sessions.data?.map(({ id, token, ipAddress, userAgent, createdAt }) => (
          <li key={id}>
            <span>
              {ipAddress} <small class="hint">{userAgent}</small> <Moment at={createdAt} />
            </span>
            <button type="button" class="quiet" onClick={() => end(endSession(token))}>
              {words.say('signOut')}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => end(endOtherSessions())}>
        {words.say('signOutOthers')}
      </button>
    </section>
  )
}
