import type { ListedRefundJson } from '../../../core/refund/listedRefund.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { moneyOrDash } from '../parts/moneyOrDash.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Table } from '../parts/Table.tsx'

/** Their statuses, as they are shown. */
export const STATES = {
  open: { word: 'refundProcessing', tone: 'calm' },
  mined: { word: 'confirming', tone: 'calm' },
  confirmed: { word: 'refunded', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
} as const satisfies Record<ListedRefundJson['status'], { word: string; tone: Tone }>

/** What they are refunds of. */
export const KINDS = {
  invoice: 'invoice',
  wallet: 'refundKindWallet',
  x402: 'x402Payment',
} as const satisfies Record<ListedRefundJson['kind'], string>

const WAITS = {
  refund_limit: 'refundWaitsLimit',
  owner_approval: 'refundWaitsApproval',
  stopped: 'refundWaitsPause',
} as const satisfies Record<NonNullable<ListedRefundJson['waitingFor']>, string>

interface RefundTableProps {
  readonly merchantId: string
  readonly rows: readonly ListedRefundJson[]
}

/** Refunds: of what, how much, to whom, and how far each is. */
export function RefundTable({ merchantId, rows }: RefundTableProps) {
  const { words, networkName } = usePage()
  return (
    <Table
      label={words.say('refunds')}
      columns={[
        {
          ...{ name: words.say('refundOf'), phone: 'below' },
          cell: (refund) => <Subject {...{ merchantId, refund }} />,
        },
        {
          ...{ name: words.say('status'), kind: 'long', phone: 'end' },
          cell: ({ status, error, waitingFor }) => (
            <>
              <Pill tone={STATES[status].tone} text={words.say(STATES[status].word)} />
              {waitingFor !== null && (
                <small class="hint block">{words.say(WAITS[waitingFor])}</small>
              )}
              {error !== null && <small class="hint block">{error}</small>}
            </>
          ),
        },
        {
          ...{ name: words.say('amount'), kind: 'figure', phone: 'start' },
          cell: ({ amount, asset }) => moneyOrDash(words, amount, asset),
        },
        {
          ...{ name: words.say('refundRecipient'), phone: 'below' },
          cell: ({ address, chain }) => <Hash value={address} network={chain} kind="address" />,
        },
        {
          ...{ name: words.say('transaction'), phone: 'none' },
          cell: ({ txHash, chain }) => (
            <>
              {txHash === null ? '–' : <Hash value={txHash} network={chain} kind="tx" />}
              <small class="hint block">{networkName(chain)}</small>
            </>
          ),
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

interface SubjectProps {
  readonly merchantId: string
  readonly refund: ListedRefundJson
}

/** What it is a refund of: its invoice, or the x402 payments of its payer. */
function Subject({ merchantId, refund }: SubjectProps) {
  const { words } = usePage()
  const { invoiceId, invoiceRef, externalRef, address, kind } = refund
  const payer = new URLSearchParams({ payer: address })
  return (
    <>
      {invoiceId === null ? (
        <a href={`${placePath(merchantId, 'x402', 'payments')}?${payer}`}>
          {words.say(KINDS.x402)}
        </a>
      ) : (
        <a href={placePath(merchantId, 'invoices', invoiceId)}>{invoiceRef}</a>
      )}
      {kind === 'wallet' && <small class="hint block">{words.say('refundFromWallet')}</small>}
      {externalRef !== null && <small class="hint block long">{externalRef}</small>}
    </>
  )
}
