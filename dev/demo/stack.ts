/** The demos' access to the running stack. */
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  http,
  type PublicClient,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Description } from '../stack/description.ts'

const TIMEOUT_MS = 90_000
/** Slow enough for the default limit of 120 requests per minute. */
const POLL_MS = 250

/** One of the stack's chains with its USDC. */
export interface DemoChain {
  readonly networkId: string
  readonly chainId: number
  readonly client: PublicClient
  readonly usdc: Address
  readonly decimals: number
  readonly rpcUrl: string
}

export function openDemoChain(stack: Description, networkId?: string): DemoChain {
  const chain = stack.chains.find((one) => networkId === undefined || one.networkId === networkId)
  const token = chain?.tokens.USDC
  if (!chain || !token) throw new Error(`the stack has no USDC on ${networkId ?? 'any chain'}`)
  const { rpcUrl, chainId } = chain
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0, pollingInterval: 25 })
  const { address: usdc, decimals } = token
  return { networkId: chain.networkId, chainId, client, usdc, decimals, rpcUrl }
}

/** Calls the API as the demo merchant, with POST if there is a body, and returns the data. */
export async function callApi<T>(stack: Description, path: string, body?: unknown): Promise<T> {
  const response = await fetch(stack.apiUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Service-Key': stack.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.status === 429) {
    await Bun.sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    return callApi(stack, path, body)
  }
  const answer = await response.json()
  if (!response.ok)
    throw new Error(`${path} returned ${response.status}: ${JSON.stringify(answer)}`)
  return answer.data
}

/** Sends USDC (a decimal amount) from the faucet and returns once it is mined. */
export async function payFromFaucet(
  stack: Description,
  chain: DemoChain,
  to: Address,
  amount: string,
): Promise<Hex> {
  const account = privateKeyToAccount(stack.faucetPrivateKey)
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const hash = await wallet.writeContract({
    chain: null,
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits(amount, chain.decimals)],
  })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`the payment ${hash} was reverted`)
  return hash
}

/** Base units of USDC by the role of their holders. */
export type Holdings = ReadonlyMap<string, bigint>

/** The USDC balance of each of these accounts. */
export async function holdingsOf(
  { client, usdc }: DemoChain,
  holders: Readonly<Record<string, Address>>,
): Promise<Holdings> {
  const call = { address: usdc, abi: erc20Abi, functionName: 'balanceOf' } as const
  const amounts = Object.entries(holders).map(
    async ([name, holder]) =>
      [name, await client.readContract({ ...call, args: [holder] })] as const,
  )
  return new Map(await Promise.all(amounts))
}

/** Polls until the condition holds; throws with the last result on timeout. */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (seen: T) => boolean,
): Promise<T> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const seen = await read()
    if (holds(seen)) return seen
    if (Date.now() > end) {
      throw new Error(`nothing after ${TIMEOUT_MS / 1000} s; last seen: ${Bun.inspect(seen)}`)
    }
    await Bun.sleep(POLL_MS)
  }
}

/** Prints the balance change of each account and whether it is right. Returns the number of wrong ones. */
export function compareGains(
  before: Holdings,
  after: Holdings,
  expected: Readonly<Record<string, bigint>>,
): number {
  const wrong = Object.entries(expected).filter(([name, gain]) => {
    const actual = (after.get(name) ?? 0n) - (before.get(name) ?? 0n)
    return !compare(name, actual, gain)
  })
  return wrong.length
}

/** Prints an amount and returns whether it is right. */
export function compare(name: string, actual: bigint, expected: bigint): boolean {
  const isRight = actual === expected
  const verdict = isRight ? 'right' : `WRONG, expected ${formatUnits(expected, 6)}`
  say(`${name.padEnd(10)} ${formatUnits(actual, 6).padStart(12)} USDC  ${verdict}`)
  return isRight
}

export function say(line: string): void {
  console.log(line)
}
