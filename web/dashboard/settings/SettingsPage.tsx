import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { PolicySection } from '../approvals/PolicySection.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { RecipientSection } from '../recipient/RecipientSection.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { CheckoutSettings } from './CheckoutSettings.tsx'
import type { SettingsJson } from './fields.ts'

/** The merchant's settings: the checkout's appearance, the underpayment tolerance, and the allowed origins. */
export function SettingsPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const path = merchantApi(merchantId, '/v1/settings/checkout')
  const queryKey = ['checkout-settings', merchantId]
  const settings = useQuery({ queryKey, queryFn: () => getData<SettingsJson>(path) })
  return (
    <>
      <h1>{words.say('settings')}</h1>
      {settings.isPending && <Skeleton rows={6} />}
      {settings.isError && <Failed error={settings.error} onRetry={() => settings.refetch()} />}
      {settings.data && (
        <CheckoutSettings
          merchantId={merchantId}
          role={role}
          path={path}
          settings={settings.data}
          onChanged={(changed) => client.setQueryData(queryKey, changed)}
        />
      )}
      <RecipientSection merchantId={merchantId} role={role} />
      <PolicySection merchantId={merchantId} role={role} />
    </>
  )
}
