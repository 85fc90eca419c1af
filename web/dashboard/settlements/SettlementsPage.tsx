import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { placePath } from '../parts/places.ts'
import { PayoutList } from './PayoutList.tsx'
import { SettlementList } from './SettlementList.tsx'

/** What was forwarded to the merchant: of invoices, and of x402 payments. */
export function SettlementsPage({ merchantId, rest }: PlaceProps) {
  const { words } = usePage()
  const isPayouts = rest === 'payouts'
  const tab = (isHere: boolean) => (isHere ? ({ 'aria-current': 'page' } as const) : {})
  return (
    <>
      <div class="head">
        <h1>{words.say(isPayouts ? 'payouts' : 'settlements')}</h1>
        <nav class="tabs" aria-label={words.say('settlementKinds')}>
          <a href={placePath(merchantId, 'settlements')} {...tab(!isPayouts)}>
            {words.say('ofInvoices')}
          </a>
          <a href={placePath(merchantId, 'settlements', 'payouts')} {...tab(isPayouts)}>
            {words.say('ofX402')}
          </a>
        </nav>
      </div>
      {isPayouts ? (
        <PayoutList merchantId={merchantId} />
      ) : (
        <SettlementList merchantId={merchantId} />
      )}
    </>
  )
}
