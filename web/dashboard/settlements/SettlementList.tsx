import { useLocation } from 'preact-iso'
import type { ListedSettlementJson } from '../../../core/invoice/listedSettlement.ts'
import { csvOf, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { Choice, FilterBar } from '../parts/FilterBar.tsx'
import { Hash } from '../parts/Hash.tsx'
import { CsvButton } from '../parts/Head.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { type DashboardWords, offered, usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { useList } from '../session/lists.ts'
import { amountColumns } from './amountColumns.ts'

const ROWS = 25

const STATES = {
  open: { word: 'inTransit', tone: 'calm' },
  mined: { word: 'confirming', tone: 'calm' },
  confirmed: { word: 'paidOut', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
} as const satisfies Record<ListedSettlementJson['status'], { word: string; tone: Tone }>

/** The settlements of invoices, narrowed down by status and network. */
export function SettlementList({ merchantId }: { readonly merchantId: string }) {
  const { words, networks } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { status = '', network = '' } = query
  const list = useList<ListedSettlementJson>(merchantId, 'settlements', ROWS, { status, network })
  const rows = list.data?.rows ?? []
  const isNarrowed = status + network !== ''
  return (
    <>
      <FilterBar isNarrowed={isNarrowed} onClear={() => go({})}>
        <Choice
          label={words.say('status')}
          value={status}
          all={words.say('statusAll')}
          choices={Object.entries(STATES).map(([name, { word }]) => [name, words.say(word)])}
          onChoose={(chosen) => go({ status: chosen, network })}
        />
        <Choice
          label={words.say('network')}
          value={network}
          all={words.say('networkAll')}
          choices={offered(networks).map(({ id, name }) => [id, name])}
          onChoose={(chosen) => go({ status, network: chosen })}
        />
        <CsvButton
          isEmpty={rows.length === 0}
          onTake={() => keepFile('settlements.csv', textOf(words, rows))}
        />
      </FilterBar>
      <Rows
        query={list}
        most={ROWS}
        shown="settlementsShown"
        empty={
          isNarrowed ? (
            <Empty title={words.say('settlementsNoMatch')} next={words.say('changeFilters')} />
          ) : (
            <Empty
              title={words.say('settlementsNoneTitle')}
              next={words.say('settlementsNoneNext')}
            />
          )
        }
        onGo={(to) => go({ status, network, ...to })}
      >
        {(found) => <SettlementTable merchantId={merchantId} rows={found} />}
      </Rows>
    </>
  )
}

function textOf(words: DashboardWords, rows: readonly ListedSettlementJson[]): string {
  return csvOf(rows, [
    [words.say('columnReference'), (row) => row.invoiceRef],
    [words.say('status'), (row) => words.say(STATES[row.status].word)],
    [words.say('network'), (row) => row.chain],
    [words.say('amount'), (row) => row.amount],
    [words.say('fee'), (row) => row.fee],
    [words.say('columnNet'), (row) => row.merchantAmount],
    [words.say('token'), (row) => row.asset],
    [words.say('transaction'), (row) => row.txHash],
    [words.say('created'), (row) => row.createdAt],
  ])
}

interface SettlementTableProps {
  readonly merchantId: string
  readonly rows: readonly ListedSettlementJson[]
}

function SettlementTable({ merchantId, rows }: SettlementTableProps) {
  const { words, networkName } = usePage()
  return (
    <Table
      label={words.say('settlements')}
      columns={[
        {
          ...{ name: words.say('columnReference'), phone: 'below' },
          cell: ({ invoiceId, invoiceRef }) => (
            <a href={placePath(merchantId, 'invoices', invoiceId)}>{invoiceRef}</a>
          ),
        },
        {
          ...{ name: words.say('status'), phone: 'end' },
          cell: ({ status, error }) => (
            <span title={error ?? ''}>
              <Pill tone={STATES[status].tone} text={words.say(STATES[status].word)} />
            </span>
          ),
        },
        {
          ...{ name: words.say('network'), kind: 'name', phone: 'below' },
          cell: ({ chain }) => networkName(chain),
        },
        ...amountColumns<ListedSettlementJson>(words),
        {
          ...{ name: words.say('transaction'), phone: 'none' },
          cell: ({ txHash, chain }) =>
            txHash === null ? '–' : <Hash value={txHash} network={chain} kind="tx" />,
        },
        {
          ...{ name: words.say('created'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}
