import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { ApprovalInbox } from '../approvals/ApprovalInbox.tsx'
import { PolicySection } from '../approvals/PolicySection.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Tabs } from '../parts/Tabs.tsx'
import { RecipientSection } from '../recipient/RecipientSection.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { CheckoutSettings } from './CheckoutSettings.tsx'
import type { SettingsJson } from './fields.ts'
import { NotificationSettings } from './NotificationSettings.tsx'

/** The merchant's settings: where its money goes first, then what payers see, and who has to approve. */
export function SettingsPage(props: PlaceProps) {
  const { words } = usePage()
  const at = (rest: string) => placePath(props.merchantId, 'settings', rest)
  const tabs = [
    { name: words.say('payoutAddress'), href: at('') },
    { name: words.say('settingsCheckout'), href: at('checkout') },
    { name: words.say('policyTitle'), href: at('approvals') },
    { name: words.say('notifications'), href: at('notifications') },
  ]
  return (
    <>
      <Head title={words.say('settings')} />
      <Tabs label={words.say('settings')} tabs={tabs} />
      <Part {...props} />
    </>
  )
}

function Part({ merchantId, role, rest }: PlaceProps) {
  const { words } = usePage()
  switch (rest) {
    case '':
      return (
        <>
          <RecipientSection {...{ merchantId, role }} />
          <ApprovalInbox {...{ merchantId, role }} />
        </>
      )
    case 'checkout':
      return <Checkout {...{ merchantId, role }} />
    case 'approvals':
      return <PolicySection {...{ merchantId, role }} />
    case 'notifications':
      return <NotificationSettings {...{ merchantId, role }} />
    default:
      return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
  }
}

function Checkout({ merchantId, role }: Pick<PlaceProps, 'merchantId' | 'role'>) {
  const client = useQueryClient()
  const path = merchantApi(merchantId, '/v1/settings/checkout')
  const queryKey = ['checkout-settings', merchantId]
  const found = useQuery({ queryKey, queryFn: () => getData<SettingsJson>(path) })
  return (
    <Loaded query={found} rows={6}>
      {(settings) => (
        <CheckoutSettings
          {...{ merchantId, role, path, settings }}
          onChanged={(changed) => client.setQueryData(queryKey, changed)}
        />
      )}
    </Loaded>
  )
}
