import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  type PublicClient,
  parseUnits,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { callRpc, type Rpc } from '../../../dev/servers/rpc.ts'
import type { Description } from '../../../dev/stack/description.ts'

/** A payer on one of the stack's chains, with the faucet's money and account nonces of its own. */

type TokenName = 'USDC' | 'USDT' | 'EURC'

export interface Payer {
  readonly client: PublicClient
  readonly rpc: Rpc
  /** Sends tokens, in major units, and resolves with the hash once the node has taken it. */
  send(to: string, amount: string, symbol?: TokenName): Promise<`0x${string}`>
  /** Waits for a transaction's successful receipt. */
  mined(hash: `0x${string}`): Promise<TransactionReceipt>
  /** A token balance in base units. */
  balance(holder: string, symbol?: TokenName): Promise<bigint>
}

export async function openPayer(description: Description, networkId: string): Promise<Payer> {
  const chain = description.chains.find((c) => c.networkId === networkId)
  if (!chain) throw new Error(`the stack has no chain ${networkId}`)
  const account = privateKeyToAccount(description.faucetPrivateKey)
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const token = (symbol: TokenName) => {
    const entry = chain.tokens[symbol]
    if (!entry) throw new Error(`${networkId} has no ${symbol}`)
    return entry
  }
  return {
    client,
    rpc: (method, params) => callRpc(chain.rpcUrl, method, params),
    send(to, amount, symbol = 'USDC') {
      const { address, decimals } = token(symbol)
      return wallet.writeContract({
        chain: null,
        address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [hex(to), parseUnits(amount, decimals)],
        nonce: nonce++,
        gas: 120_000n,
      })
    },
    async mined(hash) {
      const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
      return receipt
    },
    balance(holder, symbol = 'USDC') {
      return client.readContract({
        address: token(symbol).address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [hex(holder)],
      })
    },
  }
}

export function hex(text: string): `0x${string}` {
  return `0x${text.replace(/^0x/, '')}`
}
