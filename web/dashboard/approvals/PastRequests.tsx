import type { ApprovalJson, ApprovalState } from '../../../core/merchant/approval.ts'
import { Moment } from '../parts/Moment.tsx'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { requestText } from './words.ts'

const TONES: Readonly<Record<ApprovalState, Tone>> = {
  open: 'warn',
  approved: 'good',
  refused: 'bad',
  expired: 'calm',
}

/** Requests that are over: what has become of each, and by whom. */
export function PastRequests({ requests }: { readonly requests: readonly ApprovalJson[] }) {
  const { words } = usePage()
  return (
    <details>
      <summary>{words.say('approvalsPast')}</summary>
      <ul class="lines">
        {requests.map((request) => (
          <li key={request.id}>
            <span class="long">
              {requestText(words, request)}{' '}
              <Pill tone={TONES[request.status]} text={words.say(`approval_${request.status}`)} />{' '}
              <small class="hint">
                {words.say('requestClosed', {
                  who: request.requestedBy,
                  by: request.endedBy ?? '',
                })}{' '}
                <Moment at={request.requestedAt} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
