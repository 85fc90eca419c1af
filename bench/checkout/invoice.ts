import type { AnsweredInvoice } from '../../api/invoice/compose.ts'
import { callApi, type DevStack } from '../../test/support/servers/devStack.ts'
import { NETWORK } from './chain.ts'

/** An invoice on the development stack, with the data for its payer. */
export interface Payable {
  readonly id: string
  readonly pageUrl: string
  readonly address: string
}

/** The displayed amount. */
export const AMOUNT = '25'

export async function createPayable(stack: DevStack): Promise<Payable> {
  const wanted = { tokenSymbol: 'USDC', amountExpected: AMOUNT, chains: [NETWORK] }
  const invoice = await callApi<AnsweredInvoice>(stack, '/v1/invoices', wanted)
  const { id, checkoutUrl, addresses } = invoice
  return { id, pageUrl: checkoutUrl, address: addresses[0]?.address ?? '' }
}
