import { useLocation } from 'preact-iso'
import type { PayoutJson } from '../../../core/x402/payout.ts'
import { csvOf, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { CsvButton } from '../parts/Head.tsx'
import { Moment } from '../parts/Moment.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { useList } from '../session/lists.ts'
import { amountColumns } from './amountColumns.ts'

const ROWS = 25

/** What x402 payments brought: each payout is of many payments. */
export function PayoutList({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { path, route } = useLocation()
  const list = useList<PayoutJson>(merchantId, 'payouts', ROWS)
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
            <CsvButton
              isEmpty={false}
              onTake={() => keepFile('payouts.csv', textOf(words, rows))}
            />
          </div>
          <PayoutTable rows={rows} />
        </>
      )}
    </Rows>
  )
}

function textOf(words: DashboardWords, rows: readonly PayoutJson[]): string {
  return csvOf(rows, [
    [words.say('created'), (row) => row.createdAt],
    [words.say('network'), (row) => row.chain],
    [words.say('payments'), (row) => String(row.payments)],
    [words.say('amount'), (row) => row.amount],
    [words.say('fee'), (row) => row.fee],
    [words.say('columnNet'), (row) => row.merchantAmount],
    [words.say('token'), (row) => row.asset],
    [words.say('transaction'), (row) => row.txHash],
  ])
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
