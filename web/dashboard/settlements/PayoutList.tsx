import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { PayoutJson } from '../../../core/x402/payout.ts'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pager } from '../parts/Pager.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { Wide } from '../parts/Wide.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { AmountCells, AmountHeads } from './AmountCells.tsx'

const ROWS = 25

/** What x402 payments brought: each payout is of many payments. */
export function PayoutList({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const place = placeIn(query)
  const list = useQuery({
    queryKey: ['payouts', merchantId, place],
    queryFn: () => getList<PayoutJson>(merchantApi(merchantId, '/v1/payouts'), place, ROWS),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows ?? []
  return (
    <>
      {list.isPending && <Skeleton rows={ROWS} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title={words.say('payoutsNoneTitle')} next={words.say('payoutsNoneNext')} />
      )}
      {list.data && rows.length > 0 && (
        <>
          <div class="filters">
            <button
              type="button"
              class="last"
              onClick={() => keepFile('payouts.csv', csvOf(words, rows))}
            >
              {words.say('downloadCsv')}
            </button>
          </div>
          <PayoutTable rows={rows} />
          <Pager
            shown={words.say('payoutsShown', { n: rows.length })}
            {...{ next: list.data.next, previous: list.data.previous }}
            onGo={(to) => route(`${path}?${new URLSearchParams(to)}`)}
          />
        </>
      )}
    </>
  )
}

function csvOf(words: DashboardWords, rows: readonly PayoutJson[]): string {
  const head = [
    words.say('created'),
    words.say('network'),
    words.say('payments'),
    words.say('amount'),
    words.say('fee'),
    words.say('columnNet'),
    words.say('token'),
    words.say('transaction'),
  ]
  const lines = rows.map((row) => [
    row.createdAt,
    row.chain,
    String(row.payments),
    row.amount,
    row.fee,
    row.merchantAmount,
    row.asset,
    row.txHash,
  ])
  return csvText([head, ...lines])
}

function PayoutTable({ rows }: { readonly rows: readonly PayoutJson[] }) {
  const { words, networkName } = usePage()
  return (
    <Wide label={words.say('payouts')}>
      <table>
        <caption class="hidden">{words.say('payouts')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('created')}</th>
            <th scope="col">{words.say('network')}</th>
            <th scope="col" class="right">
              {words.say('payments')}
            </th>
            <AmountHeads />
            <th scope="col">{words.say('transaction')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Moment at={row.createdAt} />
              </th>
              <td class="name" data-label={words.say('network')}>
                {networkName(row.chain)}
              </td>
              <td class="figure right" data-label={words.say('payments')}>
                {row.payments}
              </td>
              <AmountCells row={row} />
              <td data-label={words.say('transaction')}>
                <Hash value={row.txHash} network={row.chain} kind="tx" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
