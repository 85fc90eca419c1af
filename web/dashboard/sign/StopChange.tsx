import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { RecipientChangeJson } from '../../../core/merchant/recipientChange.ts'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { changeStatus } from '../recipient/changeStatus.ts'
import { FullAddress } from '../recipient/FullAddress.tsx'
import { Problem, request } from '../session/request.ts'
import { Gate } from './Gate.tsx'

interface Stop {
  readonly merchantName: string
  readonly change: RecipientChangeJson
}

const PATH = '/dashboard/api/recipient-changes'

/**
 * The page of an owner's email, on which a change of the recipient is stopped without signing in. Its token is
 * in the fragment, and nothing happens before the button is pressed.
 */
export function StopChange() {
  const { words } = usePage()
  const [token] = useState(() => location.hash.slice(1))
  const [isStopped, setStopped] = useState(false)
  const found = useQuery({
    queryKey: ['stop-change', token],
    queryFn: async () => (await request<{ data: Stop }>('POST', `${PATH}/look`, { token })).data,
  })
  if (isStopped) return <Done />
  if (found.isPending) {
    return (
      <Gate title={words.say('loading')}>
        <Skeleton rows={4} />
      </Gate>
    )
  }
  if (found.isError) {
    const isGone = found.error instanceof Problem && found.error.status === 404
    return (
      <Gate title={words.say(isGone ? 'stopGone' : 'failedTitle')}>
        {isGone ? (
          <>
            <p>{words.say('stopGoneNext')}</p>
            <ToSignIn />
          </>
        ) : (
          <Failed error={found.error} onRetry={() => found.refetch()} />
        )}
      </Gate>
    )
  }
  const { merchantName, change } = found.data
  if (change.endedAt !== null) return <Over change={change} />
  return (
    <Gate title={words.say('recipientCancelTitle')}>
      <p class="long">
        {words.say('stopHint', { who: change.requestedBy, merchant: merchantName })}
      </p>
      <FullAddress address={change.recipient} />
      <Form
        action={words.say('recipientCancel')}
        onSend={async () => {
          await request('POST', `${PATH}/cancel`, { token })
          setStopped(true)
        }}
      >
        {null}
      </Form>
    </Gate>
  )
}

function Done() {
  const { words } = usePage()
  return (
    <Gate title={words.say('stopDone')}>
      <p role="status">{words.say('stopDoneNext')}</p>
      <ToSignIn />
    </Gate>
  )
}

function Over({ change }: { readonly change: RecipientChangeJson }) {
  const { words } = usePage()
  return (
    <Gate title={words.say('stopOver')}>
      <p>
        {change.status === 'in_force'
          ? words.say('stopActive')
          : words.say('stopOverNext', { status: changeStatus(words, change.status) })}
      </p>
      <ToSignIn />
    </Gate>
  )
}

function ToSignIn() {
  const { words } = usePage()
  return (
    <a class="button main wide" href="/dashboard/sign-in">
      {words.say('toSignIn')}
    </a>
  )
}
