import { useQuery } from '@tanstack/preact-query'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed } from '../parts/States.tsx'
import { HeldTable } from '../recoveries/HeldTable.tsx'
import { getList } from '../session/lists.ts'
import { merchantApi } from '../session/request.ts'

const MOST_PARTS = 20
const START = { after: '', before: '' } as const

interface HeldHereProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly invoiceId: string
}

/** Money of this invoice that is held, with what can be done; nothing where none is. */
export function HeldHere({ merchantId, role, invoiceId }: HeldHereProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/recoveries')
  const held = useQuery({
    queryKey: ['held', merchantId, invoiceId],
    queryFn: () => getList<RecoveryJson>(path, START, MOST_PARTS, { invoiceId }),
  })
  if (held.isError) return <Failed error={held.error} onRetry={() => held.refetch()} />
  const rows = held.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <section class="section" aria-labelledby="held">
      <h2 id="held">{words.say('recoveries')}</h2>
      <HeldTable {...{ merchantId, role, rows }} isOfOne />
    </section>
  )
}
