import type { PayerTransfer } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { isZero } from './session/selection.ts'

const STATUS = {
  pending: 'statusPending',
  confirmed: 'statusConfirmed',
  reverted: 'statusReverted',
} as const

/** What the payer has sent, each with its way to the explorer. */
export function Transfers({ transfers }: { readonly transfers: readonly PayerTransfer[] }) {
  const { words } = usePage()
  if (transfers.length === 0) return null
  return (
    <section class="transfers" aria-labelledby="transfers">
      <h3 id="transfers">{words.say('transfersTitle')}</h3>
      <ul>
        {transfers.map((transfer) => (
          <li key={transfer.hash}>
            <bdi class="figure">{words.money(transfer.amount, transfer.tokenSymbol)}</bdi>
            <span class={`pill ${transfer.status} ${transfer.kind}`}>
              {words.say(labelOf(transfer))}
            </span>
            <span class="where">{transfer.networkName}</span>
            <a href={transfer.explorerUrl} target="_blank" rel="noopener noreferrer">
              {words.say('explorer')}
              <span class="hidden"> ({words.say('opensTab')})</span>
            </a>
            {transfer.status === 'pending' && <Confirmations transfer={transfer} />}
            <Returned transfer={transfer} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function labelOf({ status, kind }: PayerTransfer) {
  if (status === 'reverted' || kind === 'counted') return STATUS[status]
  return kind === 'late' ? 'kindLate' : 'kindOther'
}

const BACK = [
  ['returning', 'transferReturning'],
  ['returned', 'transferReturned'],
] as const

/** What of it the merchant is giving back, and what has gone back. */
function Returned({ transfer }: { readonly transfer: PayerTransfer }) {
  const { words } = usePage()
  return BACK.map(
    ([part, sentence]) =>
      !isZero(transfer[part]) && (
        <p key={part} class="back">
          {words.say(sentence, { amount: words.money(transfer[part], transfer.tokenSymbol) })}
        </p>
      ),
  )
}

function Confirmations({ transfer }: { readonly transfer: PayerTransfer }) {
  const { words } = usePage()
  const { confirmations: n, confirmationsNeeded: needed } = transfer
  const sentence = words.say('confirmations', { n, needed })
  return (
    <div class="confirmations">
      <progress value={n} max={needed} aria-label={sentence} />
      <span aria-hidden="true">{sentence}</span>
    </div>
  )
}
