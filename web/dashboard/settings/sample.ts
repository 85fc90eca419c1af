import type { Hex } from '../../../core/chain/evm.ts'
import type { presentSettings } from '../../../core/checkout/settings.ts'
import type {
  CheckoutFiat,
  CheckoutPayment,
  CheckoutView,
  TokenChoice,
} from '../../../core/checkout/view.ts'

/** A session that never was, as payers would see it: some tea, to be paid or paid for. */

/** What of a merchant's settings payers see. */
export type CheckoutAppearance = Pick<
  ReturnType<typeof presentSettings>,
  'name' | 'logoUrl' | 'accent' | 'supportEmail' | 'supportUrl' | 'returnUrl' | 'languages'
>

export type SampleState = 'choosing' | 'completed'

/** What the session is for. */
export interface Sold extends Omit<TokenChoice, 'amount'> {
  readonly amount: string
  readonly description: string | null
  readonly fiat: CheckoutFiat | null
  readonly expiresAt: string | null
}

const NETWORKS = [
  { networkId: 'base', name: 'Base', health: 'ok', usualSeconds: 24, usualFeeUsd: '0.006' },
  { networkId: 'polygon', name: 'Polygon', health: 'ok', usualSeconds: 128, usualFeeUsd: '0.003' },
] as const
/** What the preview shows where nothing is for sale. */
export const TEA: Sold = {
  ...{ amount: '42.5', tokenSymbol: 'USDC', tokenName: 'USD Coin', networks: NETWORKS },
  ...{ description: null, fiat: null, expiresAt: null },
}
const HASH: Hex = `0x${'5a3e'.repeat(16)}`
const COLOUR = /^#[0-9a-f]{6}$/i

/** The session in this state, with the settings of the form. */
export function sampleView(
  settings: CheckoutAppearance,
  merchantName: string,
  state: SampleState,
  now: Date,
  sold: Sold = TEA,
): CheckoutView {
  const { amount, tokenSymbol, tokenName, networks, description, fiat, expiresAt } = sold
  const { name, logoUrl, accent, supportEmail, supportUrl, returnUrl } = settings
  return {
    id: 'sample',
    version: 1,
    state,
    merchant: {
      name: name || merchantName,
      logoUrl,
      accent: accent !== null && COLOUR.test(accent) ? accent : null,
      supportEmail: supportEmail || null,
      supportUrl: supportUrl || null,
    },
    description,
    fiat,
    tokens: [{ tokenSymbol, tokenName, amount: fiat === null ? amount : null, networks }],
    payment: state === 'completed' ? paidAt(now, sold) : null,
    earlier: [],
    lookups: [],
    authorization: null,
    refundAddress: null,
    returnUrl: returnUrl || null,
    ...{ chosenNetwork: null, x402Url: null, canStartAgain: false },
    createdAt: now.toISOString(),
    expiresAt,
    now: now.toISOString(),
  }
}

function paidAt(now: Date, { amount, tokenSymbol, networks }: Sold): CheckoutPayment {
  const at = now.toISOString()
  const [{ networkId, name: networkName } = NETWORKS[0]] = networks
  return {
    ...{ reference: 'K7QX2M9PTA', tokenSymbol, decimals: 6 },
    ...{ expected: amount, received: amount, due: '0', overpaid: '0', late: '0', pending: '0' },
    addresses: [],
    transfers: [
      {
        ...{ networkId, networkName, tokenSymbol, amount },
        ...{ returning: '0', returned: '0', hash: HASH, sender: null, explorerUrl: '#' },
        ...{ status: 'confirmed', kind: 'counted', confirmations: 3, confirmationsNeeded: 3, at },
      },
    ],
    ...{ paidAt: at, completedAt: at },
  }
}
