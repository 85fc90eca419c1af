import { asInvoiceId } from '../../core/base/ids.ts'
import {
  presentRecovery,
  RECOVERY_REASONS,
  type RecoveryAction,
  type RecoveryJson,
} from '../../core/invoice/recovery.ts'
import { listRecoveries } from '../../store/invoice/recoveries.ts'
import { withOffers } from '../../store/refund/offers.ts'
import { sendPage } from '../http/exchange.ts'
import { readLong } from '../http/longRead.ts'
import { route } from '../http/route.ts'
import { refusedSchema } from '../invoice/schema.ts'
import { INVOICE_ID, PAYER, TRANSACTION_ID, USDC } from '../request/examples.ts'
import { listQuery, PAGED, PART_KEYS } from '../request/page.ts'
import { idParameter } from '../request/parameter.ts'
import { paged } from '../request/responses.ts'
import {
  type DocumentedSchema,
  list,
  named,
  object,
  optionalText,
  optionalTime,
  text,
  time,
  uuid,
} from '../request/schema.ts'

/** GET /v1/recoveries. */

const ACTIONS: readonly RecoveryAction[] = [
  'accept_transaction',
  'accept_partial',
  'refund',
  'set_recipient',
  'wait',
]

const fields = {
  invoiceId: uuid('The paid invoice.', INVOICE_ID),
  invoiceRef: text('The reference of that invoice.', 'K7QX2M9PTA'),
  externalRef: optionalText("The caller's own reference.", 'order-1042'),
  transactionId: optionalText(
    'The payment to accept or to name in a refund; null for on-time money as a whole.',
    TRANSACTION_ID,
  ),
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('All zeros for native coin.', USDC),
  from: optionalText('The sender; null for on-time money as a whole.', PAYER),
  amount: optionalText('The held amount; null if the token is unknown.', '12.5'),
  baseUnits: text("The held amount, in the token's smallest unit.", '12500000'),
  reason: text('Why it is held.', 'late', { enum: Object.keys(RECOVERY_REASONS) }),
  about: text('The same as a message.', RECOVERY_REASONS.late.about),
  expiresAt: optionalTime('When a partially paid invoice expires; null if never.', null),
  error: optionalText("The chain's error, if sending it failed.", null),
  actions: list(
    'The possible actions.',
    text('An action.', 'accept_transaction', { enum: [...ACTIONS] }),
  ),
  refundTo: list(
    'The possible recipients of a refund, with their maximum amounts.',
    object('A payer.', {
      address: text('The address.', PAYER),
      amount: optionalText('The maximum.', '12.5'),
    }),
  ),
  refused: list('Actions that are not possible here, with the reason.', refusedSchema),
  since: time('Since when it is held.', '2026-08-01T12:00:03.000Z'),
} satisfies Record<keyof RecoveryJson, DocumentedSchema>

export const listRecoveriesRoute = route({
  operation: 'GET /v1/recoveries',
  access: 'merchant',
  query: listQuery(
    { invoiceId: idParameter('Only held money of this invoice.', INVOICE_ID, asInvoiceId) },
    PART_KEYS,
  ),
  summary: 'List held money',
  description: `Held money, with the reason and the possible actions, the newest first. ${PAGED}`,
  operationId: 'listRecoveries',
  successes: { 200: paged('A page of the list.', named('Recovery', 'Held money.', fields)) },
  errors: ['report_in_progress'],
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const now = deps.now()
    const isByMember = exchange.actor?.type === 'person'
    const { chains, registry } = deps.config
    const found = await readLong(deps, exchange, merchantId, async (sql) => {
      const held = await listRecoveries(sql, merchantId, page, now, filter.invoiceId ?? null)
      const elements = await withOffers(sql, held.elements, { chains, now, isByMember })
      return { ...held, elements }
    })
    return sendPage(exchange, page, found, ({ recovery, offers }) =>
      presentRecovery(recovery, registry, offers),
    )
  },
})
