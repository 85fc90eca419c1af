import { useLocation } from 'preact-iso'
import type { Role } from '../../../core/access/roles.ts'
import { pasted } from '../../../core/base/text.ts'
import type { OfferedX402PaymentJson } from '../../../core/refund/x402Refund.ts'
import { Empty } from '../parts/Empty.tsx'
import { Choice, FilterBar, SearchField } from '../parts/FilterBar.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { useList } from '../session/lists.ts'
import { RefundPayment } from './RefundPayment.tsx'

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
  const { query } = useLocation()
  const go = useFilters()
  const { status = '', payer = '' } = query
  const filters = { status, payer }
  const list = useList<OfferedX402PaymentJson>(merchantId, 'x402/payments', PAGE, filters)
  return (
    <>
      <FilterBar
        search={
          <SearchField
            label={words.say('x4Payer')}
            hint={words.say('x4PayerHint')}
            value={payer}
            onSearch={(text) => go({ status, payer: pasted(text) })}
          />
        }
        isNarrowed={status + payer !== ''}
        onClear={() => go({})}
      >
        <Choice
          label={words.say('status')}
          value={status}
          all={words.say('statusAll')}
          choices={NAMES.map((name) => [name, words.say(STATUSES[name].word)])}
          onChoose={(chosen) => go({ status: chosen, payer })}
        />
      </FilterBar>
      <Rows
        query={list}
        most={PAGE}
        shown="heldShown"
        empty={<Empty title={words.say('x4NoPaymentTitle')} next={words.say('x4NoPaymentNext')} />}
        onGo={(place) => go({ status, payer, ...place })}
      >
        {(payments) => <PaymentTable {...{ merchantId, role, payments }} />}
      </Rows>
    </>
  )
}

interface PaymentTableProps extends PaymentsPageProps {
  readonly payments: readonly OfferedX402PaymentJson[]
}

function PaymentTable({ merchantId, role, payments }: PaymentTableProps) {
  const { words } = usePage()
  return (
    <Table
      label={words.say('payments')}
      columns={[
        {
          ...{ name: words.say('x4Payer'), phone: 'whole' },
          cell: ({ payer, networkId }) => <Hash value={payer} network={networkId} kind="address" />,
        },
        {
          ...{ name: words.say('status'), phone: 'end' },
          cell: ({ status, error }) => (
            <>
              <Pill tone={STATUSES[status].tone} text={words.say(STATUSES[status].word)} />
              {error !== null && <small class="hint long"> {error}</small>}
            </>
          ),
        },
        {
          ...{ name: words.say('amount'), kind: 'figure', phone: 'start' },
          cell: (payment) => (
            <>
              {words.money(payment.amount, payment.tokenSymbol)}{' '}
              <RefundPayment {...{ merchantId, role, payment }} />
            </>
          ),
        },
        {
          ...{ name: words.say('transaction'), phone: 'none' },
          cell: ({ transaction, networkId }) =>
            transaction === null ? '–' : <Hash value={transaction} network={networkId} kind="tx" />,
        },
        {
          ...{ name: words.say('time'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      rows={payments}
      keyOf={({ id }) => id}
    />
  )
}
