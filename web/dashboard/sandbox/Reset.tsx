import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Confirm } from '../forms/Confirm.tsx'
import { usePage } from '../parts/page.ts'
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
  const [message, setMessage] = useState<string | null>(null)

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
    setMessage(words.say('boxResetDone', { invoices, others }))
    await client.invalidateQueries()
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
      <p role="status">{message}</p>
    </section>
  )
}
