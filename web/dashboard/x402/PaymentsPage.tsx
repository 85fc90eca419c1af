import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { Role } from '../../../core/access/roles.ts'
import { pasted } from '../../../core/base/text.ts'
import type { OfferedX402PaymentJson } from '../../../core/refund/x402Refund.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { Wide } from '../parts/Wide.tsx'
import { merchantApi, request } from '../session/request.ts'
import { RefundPayment } from './RefundPayment.tsx'

interface Page {
  readonly data: readonly OfferedX402PaymentJson[]
  readonly metadata: {
    readonly pagination: { readonly next: string | null; readonly previous: string | null }
  }
}

const STATUSES = {
  settled: { word: 'x4Settled', tone: 'good' },
  pending: { word: 'inTransit', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
} as const
const NAMES = ['settled', 'pending', 'failed'] as const
const PAGE = 25

interface PaymentsPageProps {
  readonly merchantId: string
  readonly role: Role
}

/** The payments, the newest first; the filters are kept in the URL. */
export function PaymentsPage({ merchantId, role }: PaymentsPageProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const { status = '', payer = '', after = '', before = '' } = query
  const place: Record<string, string> = before === '' ? { after } : { before }
  const wanted = new URLSearchParams({ limit: String(PAGE), ...place })
  if (status !== '') wanted.set('status', status)
  if (payer !== '') wanted.set('payer', payer)
  const list = useQuery({
    queryKey: ['x402-payments', merchantId, status, payer, after, before],
    queryFn: () => request<Page>('GET', merchantApi(merchantId, `/v1/x402/payments?${wanted}`)),
  })

  function goTo(change: Readonly<Record<string, string>>): void {
    const all = Object.entries({ status, payer, ...change }).filter(([, value]) => value !== '')
    const search = new URLSearchParams(all).toString()
    route(search === '' ? path : `${path}?${search}`)
  }

  const pagination = list.data?.metadata.pagination
  return (
    <>
      <search class="filters" aria-label={words.say('filters')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            goTo({ payer: pasted(String(new FormData(event.currentTarget).get('payer'))) })
          }}
        >
          <input
            key={payer}
            type="search"
            name="payer"
            class="wide"
            defaultValue={payer}
            aria-label={words.say('x4Payer')}
            placeholder={words.say('x4PayerHint')}
            maxLength={100}
          />
        </form>
        <select
          aria-label={words.say('status')}
          value={status}
          onChange={(event) => goTo({ status: event.currentTarget.value })}
        >
          <option value="">{words.say('statusAll')}</option>
          {NAMES.map((name) => (
            <option key={name} value={name}>
              {words.say(STATUSES[name].word)}
            </option>
          ))}
        </select>
      </search>
      {list.isPending && <Skeleton rows={10} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.data.length === 0 && (
        <Empty title={words.say('x4NoPaymentTitle')} next={words.say('x4NoPaymentNext')} />
      )}
      {list.data && list.data.data.length > 0 && (
        <>
          <PaymentTable merchantId={merchantId} role={role} payments={list.data.data} />
          <nav class="paging" aria-label={words.say('pages')}>
            {pagination?.previous && (
              <button type="button" onClick={() => goTo({ before: pagination.previous ?? '' })}>
                {words.say('previous')}
              </button>
            )}
            {pagination?.next && (
              <button type="button" onClick={() => goTo({ after: pagination.next ?? '' })}>
                {words.say('next')}
              </button>
            )}
          </nav>
        </>
      )}
    </>
  )
}

interface PaymentTableProps extends PaymentsPageProps {
  readonly payments: readonly OfferedX402PaymentJson[]
}

function PaymentTable({ merchantId, role, payments }: PaymentTableProps) {
  const { words } = usePage()
  return (
    <Wide label={words.say('payments')}>
      <table>
        <caption class="hidden">{words.say('payments')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('x4Payer')}</th>
            <th scope="col">{words.say('status')}</th>
            <th scope="col" class="right">
              {words.say('amount')}
            </th>
            <th scope="col">{words.say('transaction')}</th>
            <th scope="col">{words.say('time')}</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => {
            const { word, tone } = STATUSES[payment.status]
            return (
              <tr key={payment.id}>
                <th scope="row">
                  <Hash value={payment.payer} network={payment.networkId} kind="address" />
                </th>
                <td data-label={words.say('status')}>
                  <span>
                    <Pill tone={tone} text={words.say(word)} />
                    {payment.error !== null && <small class="hint long"> {payment.error}</small>}
                  </span>
                </td>
                <td class="figure right" data-label={words.say('amount')}>
                  <span>
                    {words.money(payment.amount, payment.tokenSymbol)}{' '}
                    <RefundPayment merchantId={merchantId} role={role} payment={payment} />
                  </span>
                </td>
                <td data-label={words.say('transaction')}>
                  {payment.transaction === null ? (
                    '–'
                  ) : (
                    <Hash value={payment.transaction} network={payment.networkId} kind="tx" />
                  )}
                </td>
                <td data-label={words.say('time')}>
                  <Moment at={payment.createdAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Wide>
  )
}
