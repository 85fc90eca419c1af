import type { RecipientChangeJson } from '../../../core/merchant/recipientChange.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { changeStatus } from './changeStatus.ts'

/** Changes that are over: what has become of each, and by whom. */
export function PastChanges({ changes }: { readonly changes: readonly RecipientChangeJson[] }) {
  const { words } = usePage()
  return (
    <details>
      <summary>{words.say('recipientPast')}</summary>
      <ul class="lines">
        {changes.map(({ id, recipient, status, requestedBy, requestedAt, endedBy }) => (
          <li key={id}>
            <span class="long">
              <Hash value={recipient} kind="address" />{' '}
              <Pill
                tone={status === 'in_force' ? 'good' : 'calm'}
                text={changeStatus(words, status)}
              />{' '}
              <small class="hint">
                {status === 'in_force'
                  ? requestedBy
                  : words.say('requestClosed', { who: requestedBy, by: endedBy ?? '' })}{' '}
                <Moment at={requestedAt} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
