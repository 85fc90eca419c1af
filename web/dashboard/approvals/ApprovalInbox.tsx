import { useQuery } from '@tanstack/preact-query'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { pollInterval } from '../session/live.ts'
import { approvalsQuery } from './load.ts'
import { OneRequest } from './OneRequest.tsx'

/** Pending approvals; nothing when there are none. */
export function ApprovalInbox({ merchantId, role }: Pick<PlaceProps, 'merchantId' | 'role'>) {
  const { words } = usePage()
  const found = useQuery({ ...approvalsQuery(merchantId), refetchInterval: pollInterval })
  const open = found.data?.filter(({ status }) => status === 'open') ?? []
  if (open.length === 0) return null
  return (
    <section aria-labelledby="approvals">
      <h2 id="approvals">{words.say('approvalsTitle')}</h2>
      <ul class="inbox">
        {open.map((request) => (
          <OneRequest key={request.id} {...{ merchantId, role, request }} />
        ))}
      </ul>
    </section>
  )
}
