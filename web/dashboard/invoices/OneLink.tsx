import { useQuery } from '@tanstack/preact-query'
import type { presentLink } from '../../../core/checkout/link.ts'
import type { presentPrice } from '../../../core/checkout/price.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

export type LinkJson = ReturnType<typeof presentLink>
type PriceJson = ReturnType<typeof presentPrice>

interface OneLinkProps {
  readonly merchantId: string
  readonly link: LinkJson
  readonly mayChange: boolean
  readonly onChanged: () => Promise<unknown>
}

/** One link: what it is for, how much, how often it was paid, and whether it still takes payers. */
export function OneLink({ merchantId, link, mayChange, onChanged }: OneLinkProps) {
  const { words } = usePage()
  const { id, url, price: priceId, uses, usesLimit, endsAt, active, open } = link
  // A price's amount never changes: a cached one stays right.
  const price = useQuery({
    queryKey: ['price', merchantId, priceId],
    queryFn: () => getData<PriceJson>(merchantApi(merchantId, `/v1/prices/${priceId}`)),
    staleTime: Number.POSITIVE_INFINITY,
  })

  async function change(): Promise<void> {
    await request('PATCH', merchantApi(merchantId, `/v1/payment-links/${id}`), { active: !active })
    await onChanged()
    toastDone(words, 'audit_changePaymentLink', url)
  }
  return (
    <section class="card" aria-labelledby={id}>
      <div class="head">
        <h2 id={id} class="long">
          {price.data?.description ?? words.say('paymentLink')}
        </h2>
        <Pill tone={open ? 'good' : 'calm'} text={words.say(open ? 'active' : 'inactive')} />
      </div>
      <a class="long" href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
      <Facts
        facts={[
          [words.say('amount'), price.data ? amountOf(words, price.data) : '–'],
          [
            words.say('payments'),
            usesLimit === null ? uses : words.say('linkUsesOf', { n: uses, most: usesLimit }),
          ],
          endsAt !== null && [words.say('to'), <Moment key="to" at={endsAt} />],
        ]}
      />
      <div class="actions">
        <CopyButton value={url} label={words.say('copyLink')} />
        <a class="button quiet" href={`${url}/qr`} target="_blank" rel="noreferrer">
          {words.say('linkCode')}
        </a>
        {mayChange && (
          <ActionButton label={words.say(active ? 'deactivate' : 'activate')} onAction={change} />
        )}
      </div>
    </section>
  )
}

function amountOf(
  words: DashboardWords,
  { amount, currency, tokens }: Pick<PriceJson, 'amount' | 'currency' | 'tokens'>,
): string {
  return words.money(amount, currency ?? tokens.join('/'))
}
