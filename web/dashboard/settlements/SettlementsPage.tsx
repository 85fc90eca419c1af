import { Head } from '../parts/Head.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { placePath } from '../parts/places.ts'
import { Tabs } from '../parts/Tabs.tsx'
import { PayoutList } from './PayoutList.tsx'
import { SettlementList } from './SettlementList.tsx'

/** What was forwarded to the merchant: of invoices, and of x402 payments. */
export function SettlementsPage({ merchantId, rest }: PlaceProps) {
  const { words } = usePage()
  const isPayouts = rest === 'payouts'
  const tabs = [
    { name: words.say('invoices'), href: placePath(merchantId, 'settlements') },
    { name: words.say('x402'), href: placePath(merchantId, 'settlements', 'payouts') },
  ]
  return (
    <>
      <Head title={words.say('settlements')} />
      <Tabs label={words.say('settlementKinds')} tabs={tabs} />
      {isPayouts ? (
        <PayoutList merchantId={merchantId} />
      ) : (
        <SettlementList merchantId={merchantId} />
      )}
    </>
  )
}
