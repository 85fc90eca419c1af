import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { UNLIMITED } from '../../../chain/hub/setup.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { readArtifact, TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { type Answer, type ApiRig, openRig } from '../api/rig.ts'
import { TestLedger } from '../books/ledger.ts'
import { type HubChain, startHubChain } from '../servers/chain.ts'

/** The API and the ledger behind it on one chain, for money that no one was asked to send. */

/** Tokens that the operator lists, of which one emits no events, and one that no one does. */
export const DAI = lowerCaseAddress('0x50c5725949a6f0c72e6c4a641f24049a917db0cb')
export const MUTE = lowerCaseAddress('0x00000000000000000000000000000000000303e5')
export const SHELL = lowerCaseAddress('0x00000000000000000000000000000000005e11ed')

export interface AstrayRig {
  readonly chain: HubChain
  readonly ledger: TestLedger
  readonly api: ApiRig
  /** Someone with native coin and tokens, and no invoice. */
  readonly payer: { readonly key: Hex; readonly address: Address }
  /** Sends tokens of the payer's to a deposit, in base units. The answer is the transaction. */
  send(token: Address, invoice: InvoiceJson, amount: bigint): Promise<Hex>
  balance(token: Address, holder: string): Promise<bigint>
  /** Sends native coin of the payer's to a deposit, in wei. The answer is the transaction. */
  sendCoin(invoice: InvoiceJson, wei: bigint): Promise<Hex>
  /** The native coin of an account, in wei. */
  coin(holder: Address): Promise<bigint>
  refund(invoice: InvoiceJson, amount: string, transactionId: string, to: string): Promise<Answer>
  /** What differs between the ledger and the chain. */
  differences(): Promise<unknown>
  /** Hands a transaction in, and answers what was found. */
  submit(invoice: InvoiceJson, txHash: Hex): Promise<FoundJson>
  data(method: string, path: string, body?: unknown): Promise<unknown>
  close(): Promise<void>
}

export interface FoundJson {
  readonly status: string
  readonly looked?: string
  readonly complete?: boolean
  readonly transfers: readonly {
    readonly transactionId: string | null
    readonly outcome: string
    readonly logIndex: number | null
    readonly asset: string | null
    readonly from: string
    readonly amount: string | null
  }[]
}

/**
 * Adds an amount to the balance of whom it is transferred to, out of nothing, and says nothing of it: by the length of
 * the call it tells `balanceOf(address)` from `transfer(address,uint256)`.
 */
const MUTE_CODE = '0x3660241460145760243560043554016004355500' + '5b6004355460005260206000f3'

const MINTED = 1_000n * 10n ** 18n

export async function astrayRig(): Promise<AstrayRig> {
  const chain = await startHubChain({ relayers: 1 })
  const listed = {
    RECOVERABLE_TOKENS: `base-sepolia:${DAI}:DAI:18,base-sepolia:${MUTE}:MUTE:18`,
  }
  const variables: HubChain['variables'] = (change) => chain.variables({ ...listed, ...change })
  const ledger = await TestLedger.open({ ...chain, variables })
  const api = await openRig({
    databaseUrl: ledger.url,
    variables: { ...listed, HUB_ADDRESS: chain.hub, RPC_URL_BASE_SEPOLIA: chain.node.url },
  })
  const key = generatePrivateKey()
  const payer = { key, address: addressOf(key) }
  await chain.node.rpc('anvil_setBalance', [payer.address, '0x56bc75e2d63100000'])
  await chain.node.rpc('anvil_setCode', [MUTE, MUTE_CODE])
  for (const token of [DAI, SHELL]) await placeToken(chain, ledger, token, payer.address)

  async function data(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await api.call(method, path, body === undefined ? {} : { body })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return JSON.parse(answer.text).data
  }

  return {
    chain,
    ledger,
    api,
    payer,
    data,
    send(token, invoice, amount) {
      const args = [depositOf(invoice), amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return ledger.send(payer.key, { to: token, data })
    },
    sendCoin: (invoice, wei) => ledger.send(key, { to: depositOf(invoice), value: wei }),
    coin: (address) => chain.client.getBalance({ address }),
    refund(invoice, amount, transactionId, address) {
      const body = { amount, address, transactionId, idempotencyKey: crypto.randomUUID() }
      return api.call('POST', `/v1/invoices/${invoice.id}/refunds`, { body })
    },
    differences: async () => (await ledger.compare()).differences,
    balance: (token, holder) =>
      chain.client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [`0x${holder.slice(2)}`],
      }),
    async submit(invoice, txHash) {
      const path = `/v1/invoices/${invoice.id}/transactions`
      const answer = await api.call('POST', path, { body: { networkId: 'base-sepolia', txHash } })
      return JSON.parse(answer.text).data
    },
    async close() {
      await api.close()
      await ledger.close()
      await chain.node.stop()
    },
  }
}

export function depositOf({ addresses }: InvoiceJson): Address {
  return lowerCaseAddress(addresses[0]?.address ?? '')
}

/** Any token will do: which one it is, is said by its address alone. */
async function placeToken(
  chain: HubChain,
  ledger: TestLedger,
  token: Address,
  holder: Address,
): Promise<void> {
  const { deployedBytecode } = await readArtifact('TestUSDC')
  await chain.node.rpc('anvil_setCode', [token, deployedBytecode])
  const terms = ['Other', 'OTHER', '1', addressOf(chain.ownerKey)] as const
  const calls = [
    encodeFunctionData({ abi: TOKEN_ABI, functionName: 'initialize', args: terms }),
    encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [holder, MINTED] }),
  ]
  for (const data of calls) await ledger.send(chain.ownerKey, { to: token, data })
  // What no sweep moves may go back as well, as much of it as the hub's owner allows.
  const limit = encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'setToken',
    args: [token, false, 18, UNLIMITED],
  })
  await ledger.send(chain.ownerKey, { to: chain.hub, data: limit })
}
