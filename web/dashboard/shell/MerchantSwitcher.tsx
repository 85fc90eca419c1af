import { useLocation } from 'preact-iso'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import type { Me } from '../session/me.ts'

interface MerchantSwitcherProps {
  readonly me: Me
  readonly merchantId: string | null
}

/** Selects the merchant. It is part of the URL, so that two tabs can show two merchants. */
export function MerchantSwitcher({ me, merchantId }: MerchantSwitcherProps) {
  const { words } = usePage()
  const { route } = useLocation()
  const [only] = me.merchants
  if (only === undefined) return null
  if (me.merchants.length === 1) return <p class="merchant">{only.merchantName}</p>
  return (
    <select
      class="merchant wide"
      aria-label={words.say('merchant')}
      value={merchantId ?? ''}
      onChange={(event) => route(placePath(event.currentTarget.value, 'overview'))}
    >
      {me.merchants.map((merchant) => (
        <option key={merchant.merchantId} value={merchant.merchantId}>
          {merchant.merchantName}
        </option>
      ))}
    </select>
  )
}
