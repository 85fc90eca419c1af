import { useQueryClient } from '@tanstack/preact-query'
import { Confirm } from '../forms/Confirm.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'

interface Ended {
  readonly invoices: number
  readonly hasMore: boolean
  readonly webhookEndpoints: number
  readonly prices: number
  readonly paymentLinks: number
  readonly x402Endpoints: number
}

/** A fresh start for this merchant alone. What was paid stays. */
export function Reset({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const client = useQueryClient()

  async function reset(): Promise<void> {
    let invoices = 0
    let others = 0
    for (let hasMore = true; hasMore; ) {
      const { data } = await request<{ data: Ended }>(
        'POST',
        merchantApi(merchantId, '/v1/sandbox/reset'),
      )
      invoices += data.invoices
      others += data.webhookEndpoints + data.prices + data.paymentLinks + data.x402Endpoints
      hasMore = data.hasMore
    }
    await client.invalidateQueries()
    toast(words.say('boxResetDone', { invoices, others }), {
      href: placePath(merchantId, 'invoices'),
      name: words.say('toInvoices'),
    })
  }

  return (
    <section class="card" aria-labelledby="reset">
      <h2 id="reset">{words.say('boxReset')}</h2>
      <p class="hint">{words.say('boxResetHint')}</p>
      <div>
        <Confirm
          label={words.say('boxReset')}
          title={words.say('boxResetTitle')}
          action={words.say('boxReset')}
          onConfirm={reset}
        >
          <p>{words.say('boxResetNext')}</p>
        </Confirm>
      </div>
    </section>
  )
}
