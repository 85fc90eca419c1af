import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { ListedSettlementJson } from '../../../core/invoice/listedSettlement.ts'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { type DashboardWords, offered, usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { Wide } from '../parts/Wide.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { AmountCells, AmountHeads } from './AmountCells.tsx'

const ROWS = 25

const STATES = {
  open: { word: 'inTransit', tone: 'calm' },
  mined: { word: 'confirming', tone: 'calm' },
  confirmed: { word: 'paidOut', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
} as const satisfies Record<ListedSettlementJson['status'], { word: string; tone: Tone }>

/** The settlements of invoices, narrowed down by status and network. */
export function SettlementList({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { status = '', network = '' } = query
  const place = placeIn(query)
  const filter = { ...(status && { status }), ...(network && { network }) }
  const list = useQuery({
    queryKey: ['settlements', merchantId, { place, filter }],
    queryFn: () =>
      getList<ListedSettlementJson>(
        merchantApi(merchantId, '/v1/settlements'),
        place,
        ROWS,
        filter,
      ),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows ?? []
  return (
    <>
      <Filters {...{ status, network }} onChange={go} rows={rows} />
      {list.isPending && <Skeleton rows={ROWS} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && <Nothing isNarrowed={status + network !== ''} />}
      {list.data && rows.length > 0 && (
        <>
          <SettlementTable merchantId={merchantId} rows={rows} />
          <Pager
            shown={words.say('settlementsShown', { n: rows.length })}
            {...{ next: list.data.next, previous: list.data.previous }}
            onGo={(to) => go({ status, network, ...to })}
          />
        </>
      )}
    </>
  )
}

function Nothing({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { words } = usePage()
  return isNarrowed ? (
    <Empty title={words.say('settlementsNoMatch')} next={words.say('changeFilters')} />
  ) : (
    <Empty title={words.say('settlementsNoneTitle')} next={words.say('settlementsNoneNext')} />
  )
}

interface FiltersProps {
  readonly status: string
  readonly network: string
  readonly rows: readonly ListedSettlementJson[]
  readonly onChange: (filters: Readonly<Record<string, string>>) => void
}

function Filters({ status, network, rows, onChange }: FiltersProps) {
  const { words, networks } = usePage()
  return (
    <search class="filters" aria-label={words.say('filters')}>
      <select
        aria-label={words.say('status')}
        value={status}
        onChange={(event) => onChange({ status: event.currentTarget.value, network })}
      >
        <option value="">{words.say('statusAll')}</option>
        {Object.entries(STATES).map(([name, { word }]) => (
          <option key={name} value={name}>
            {words.say(word)}
          </option>
        ))}
      </select>
      <select
        aria-label={words.say('network')}
        value={network}
        onChange={(event) => onChange({ status, network: event.currentTarget.value })}
      >
        <option value="">{words.say('networkAll')}</option>
        {offered(networks).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="last"
        aria-disabled={rows.length === 0}
        onClick={() => rows.length > 0 && keepFile('settlements.csv', csvOf(words, rows))}
      >
        {words.say('downloadCsv')}
      </button>
    </search>
  )
}

function csvOf(words: DashboardWords, rows: readonly ListedSettlementJson[]): string {
  const head = [
    words.say('columnReference'),
    words.say('status'),
    words.say('network'),
    words.say('amount'),
    words.say('fee'),
    words.say('columnNet'),
    words.say('token'),
    words.say('transaction'),
    words.say('created'),
  ]
  const lines = rows.map((row) => [
    row.invoiceRef,
    words.say(STATES[row.status].word),
    row.chain,
    row.amount,
    row.fee,
    row.merchantAmount,
    row.asset,
    row.txHash,
    row.createdAt,
  ])
  return csvText([head, ...lines])
}

interface SettlementTableProps {
  readonly merchantId: string
  readonly rows: readonly ListedSettlementJson[]
}

function SettlementTable({ merchantId, rows }: SettlementTableProps) {
  const { words, networkName } = usePage()
  return (
    <Wide label={words.say('settlements')}>
      <table class="tight">
        <caption class="hidden">{words.say('settlements')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('columnReference')}</th>
            <th scope="col">{words.say('status')}</th>
            <th scope="col">{words.say('network')}</th>
            <AmountHeads />
            <th scope="col">{words.say('transaction')}</th>
            <th scope="col">{words.say('created')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={placePath(merchantId, 'invoices', row.invoiceId)}>{row.invoiceRef}</a>
              </th>
              <td data-label={words.say('status')} title={row.error ?? ''}>
                <Pill tone={STATES[row.status].tone} text={words.say(STATES[row.status].word)} />
              </td>
              <td class="name" data-label={words.say('network')}>
                {networkName(row.chain)}
              </td>
              <AmountCells row={row} />
              <td data-label={words.say('transaction')}>
                {row.txHash === null ? (
                  '–'
                ) : (
                  <Hash value={row.txHash} network={row.chain} kind="tx" />
                )}
              </td>
              <td data-label={words.say('created')}>
                <Moment at={row.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
