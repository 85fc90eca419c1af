import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { PayoutJson } from '../../../core/x402/payout.ts'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { CsvButton } from '../parts/Head.tsx'
import { Moment } from '../parts/Moment.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { amountColumns } from './amountColumns.ts'

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
  return (
    <Rows
      query={list}
      most={ROWS}
      shown="settlementsShown"
      empty={
        <Empty title={words.say('settlementsNoneTitle')} next={words.say('payoutsNoneNext')} />
      }
      onGo={(to) => route(`${path}?${new URLSearchParams(to)}`)}
    >
      {(rows) => (
        <>
          <div class="filters">
            <CsvButton isEmpty={false} onTake={() => keepFile('payouts.csv', csvOf(words, rows))} />
          </div>
          <PayoutTable rows={rows} />
        </>
      )}
    </Rows>
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
    <Table
      label={words.say('settlements')}
      columns={[
        {
          ...{ name: words.say('created'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
        {
          ...{ name: words.say('network'), kind: 'name', phone: 'below' },
          cell: ({ chain }) => networkName(chain),
        },
        { name: words.say('payments'), kind: 'figure', cell: ({ payments }) => payments },
        ...amountColumns<PayoutJson>(words),
        {
          ...{ name: words.say('transaction'), phone: 'end' },
          cell: ({ txHash, chain }) => <Hash value={txHash} network={chain} kind="tx" />,
        },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}
