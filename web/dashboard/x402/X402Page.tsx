import { Empty } from '../parts/Empty.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Tabs } from '../parts/Tabs.tsx'
import { EndpointsPage } from './EndpointsPage.tsx'
import { PayersPage } from './PayersPage.tsx'
import { PaymentsPage } from './PaymentsPage.tsx'

/** Pay per request: prices, revenue and payers. */
export function X402Page(props: PlaceProps) {
  const { words } = usePage()
  const { merchantId } = props
  const at = (rest: string) => placePath(merchantId, 'x402', rest)
  const tabs = [
    { name: words.say('x4Endpoints'), href: at('') },
    { name: words.say('payments'), href: at('payments') },
    { name: words.say('x4Payers'), href: at('payers') },
  ]
  return (
    <>
      <h1>{words.say('x402')}</h1>
      <Tabs label={words.say('x402')} tabs={tabs} />
      <Part {...props} />
    </>
  )
}

function Part({ merchantId, role, rest }: PlaceProps) {
  const { words } = usePage()
  switch (rest) {
    case '':
      return <EndpointsPage merchantId={merchantId} role={role} />
    case 'payments':
      return <PaymentsPage merchantId={merchantId} role={role} />
    case 'payers':
      return <PayersPage merchantId={merchantId} />
    default:
      return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
  }
}
