import { useQuery } from '@tanstack/preact-query'
import { isTokenSymbol, TOKENS } from '../../../core/chain/tokens.ts'
import { Loaded } from '../parts/Loaded.tsx'
import { offered, usePage } from '../parts/page.ts'
import { useMe } from '../session/me.ts'
import { getData, merchantApi } from '../session/request.ts'
import type { SettingsJson } from '../settings/fields.ts'
import { Preview } from '../settings/Preview.tsx'
import type { InvoiceDraft } from './draft.ts'

interface InvoicePreviewProps {
  readonly merchantId: string
  readonly draft: InvoiceDraft | null
}

/** The checkout of the invoice in the form, as the payer will see it. */
export function InvoicePreview({ merchantId, draft }: InvoicePreviewProps) {
  const { words, networks, tokens } = usePage()
  const me = useMe()
  const settings = useQuery({
    queryKey: ['checkout-settings', merchantId],
    queryFn: () => getData<SettingsJson>(merchantApi(merchantId, '/v1/settings/checkout')),
  })
  const named = me.data?.merchants.find((merchant) => merchant.merchantId === merchantId)
  const symbol = draft?.tokenSymbol ?? tokens[0]?.symbol ?? ''
  const tokenSymbol = isTokenSymbol(symbol) ? symbol : 'USDC'
  const amount = draft?.amount || '0'
  const isFiat = (draft?.currency ?? '') !== ''
  return (
    <Loaded query={settings} rows={6}>
      {(found) => (
        <Preview
          settings={found}
          merchantName={named?.merchantName ?? words.say('merchant')}
          sold={{
            amount,
            description: draft?.description || null,
            fiat: isFiat ? { currency: draft?.currency ?? '', amount } : null,
            tokenSymbol,
            tokenName: TOKENS[tokenSymbol].name,
            networks: offered(networks).map(({ id: networkId, name }) => ({
              ...{ networkId, name, health: 'ok', usualSeconds: 24, usualFeeUsd: null },
            })),
            expiresAt: draft?.expiresAt?.toISOString() ?? null,
          }}
        />
      )}
    </Loaded>
  )
}
