import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { type Column, Table } from '../parts/Table.tsx'
import { isPlainRefund } from './BulkRefund.tsx'
import { HeldActions } from './HeldActions.tsx'
import { HeldRefusals, NO_SENDER } from './HeldRefusals.tsx'
import { REASONS } from './reasons.ts'

interface HeldTableProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly rows: readonly RecoveryJson[]
  /** Whether all of it is of the invoice that the page is about. */
  readonly isOfOne?: boolean
  /** Which rows are chosen to be refunded together. */
  readonly selection?: {
    readonly chosen: ReadonlySet<string>
    readonly choose: (key: string) => void
  }
}

/** Held money: how much, why, of which invoice, since when, and what can be done. */
export function HeldTable(props: HeldTableProps) {
  const { merchantId, role, rows, isOfOne = false, selection } = props
  const { words, networkName } = usePage()
  const columns: readonly (Column<RecoveryJson> | false)[] = [
    {
      ...{ name: words.say('amount'), kind: 'name', phone: 'start' },
      cell: (held) => (
        <>
          <span class={selection && isPlainRefund(held) ? 'unbroken' : ''}>
            {selection && isPlainRefund(held) && (
              <input
                type="checkbox"
                aria-label={words.say('bulkChoose', { amount: amountOf(words, held) })}
                checked={selection.chosen.has(keyOf(held))}
                onChange={() => selection.choose(keyOf(held))}
              />
            )}{' '}
            <b class="figure">{amountOf(words, held)}</b>
          </span>
          <small class="hint block">{networkName(held.chain)}</small>
        </>
      ),
    },
    {
      ...{ name: words.say('reason'), kind: 'long', phone: 'whole' },
      cell: (held) => <Reason {...{ role, held }} />,
    },
    !isOfOne && {
      ...{ name: words.say('invoice'), phone: 'below' },
      cell: ({ invoiceId, invoiceRef, externalRef }) => (
        <>
          <a href={placePath(merchantId, 'invoices', invoiceId)}>{invoiceRef}</a>
          {externalRef !== null && <small class="hint block long">{externalRef}</small>}
        </>
      ),
    },
    {
      ...{ name: words.say('from'), phone: 'none' },
      cell: ({ from, chain }) =>
        from === null || NO_SENDER.test(from) ? (
          '–'
        ) : (
          <Hash value={from} network={chain} kind="address" />
        ),
    },
    { name: words.say('received'), phone: 'end', cell: ({ since }) => <Moment at={since} /> },
    {
      ...{ name: words.say('devActions'), kind: 'actions', phone: 'whole' },
      cell: (held) => <HeldActions {...{ merchantId, role, held }} />,
    },
  ]
  return (
    <Table
      label={words.say('recoveries')}
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      keyOf={keyOf}
    />
  )
}

function Reason({ role, held }: Pick<PlaceProps, 'role'> & { readonly held: RecoveryJson }) {
  const { words } = usePage()
  const { word, about } = REASONS[held.reason]
  return (
    <div>
      <Pill tone="warn" text={words.say(word)} />
      <p class="hint">{words.say(about)}</p>
      {held.expiresAt !== null && held.reason === 'partial' && (
        <p class="hint">
          {words.say('heldDueBy')} <Moment at={held.expiresAt} />
        </p>
      )}
      {held.error !== null && (
        <p class="hint">
          {words.say('networkError')} <code>{held.error}</code>
        </p>
      )}
      <HeldRefusals {...{ role, held }} />
    </div>
  )
}

/** The decimals of an unlisted token are unknown: its amount is in base units. */
function amountOf(words: DashboardWords, { amount, asset, baseUnits }: RecoveryJson): string {
  if (amount !== null) return words.money(amount, asset ?? '')
  return `${words.amount(baseUnits, 'JPY')} ${words.say('unknownToken')}`
}

/** What tells held money from any other. */
export function keyOf({ invoiceId, transactionId, chain, tokenAddress }: RecoveryJson): string {
  return `${invoiceId} ${transactionId} ${chain} ${tokenAddress}`
}
