import { formatUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { callApi, type DevStack } from '../servers/devStack.ts'
import { randomHex, TRANSFER_WITH_AUTHORIZATION } from '../x402/authorizations.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { v2Body } from '../x402/requests.ts'

/**
 * Merchants and payers who go on whatever happens to the processes: invoices are created and paid, and requests
 * are paid for, at an even pace. A request that is cut off, or told to come later, is sent again
 * to the next address with the same content, as clients are told to.
 */

export interface TrafficOptions {
  /** Of paid requests, and of invoices, per second. */
  readonly payments: number
  readonly invoices: number
  /** Where the API answers; asked in turn. */
  readonly urls: () => readonly string[]
}

export interface Tally {
  readonly seconds: number
  readonly settled: number
  /** Every invoice that the API has acknowledged. */
  readonly invoices: readonly string[]
  /** How often a request was sent again. */
  readonly retries: number
  /** The longest that a caller waited for an invoice, tries and all, in ms. */
  readonly worstMs: number
  /** The longest time in which no paid request was answered, in ms. */
  readonly gapMs: number
  /** What was neither success nor a reason to try again. */
  readonly errors: readonly string[]
}

const NETWORK = 'base-sepolia'
const PRICE = 1_000n
const DAY_S = 86_400n
/** For how long one request is tried. */
const TIMEOUT_MS = 60_000
const PAUSE_MS = 50
/** Requests are paid for by so many in turn. */
const PAYERS = 20

/** What both routes answer, in parts. */
interface Answer {
  readonly success?: boolean
  readonly error?: string
  readonly data?: {
    readonly id: string
    readonly addresses: readonly { readonly address: string }[]
  }
}

export interface Traffic {
  /** What happened since the last look, and begins again. */
  look(): Tally
  /** Ends when everything that was begun has its answer. */
  stop(): Promise<Tally>
}

export async function startTraffic(stack: DevStack, options: TrafficOptions): Promise<Traffic> {
  const payer = await openPayer(stack.description, NETWORK)
  const accounts = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()))
  const money = formatUnits(PRICE * 100_000n, 6)
  const funding: `0x${string}`[] = []
  for (const { address } of accounts) funding.push(await payer.send(address, money))
  await Promise.all(funding.map((hash) => payer.mined(hash)))
  const sign = await signerOf(stack, payer, accounts)
  const under: Set<Promise<void>> = new Set()
  let place = 0
  let seen = newTally()

  /** The key says that it is the same request, where it is not its own proof of that. */
  async function send(path: string, body: string, key = crypto.randomUUID()): Promise<Answer> {
    const until = performance.now() + TIMEOUT_MS
    for (;;) {
      const urls = options.urls()
      place += 1
      try {
        const response = await fetch(`${urls[place % urls.length]}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'X-Service-Key': stack.description.secretKey,
            'Idempotency-Key': key,
          },
          body,
          signal: AbortSignal.timeout(30_000),
        })
        const answer: Answer = await response.json()
        if (!isLater(response) && answer.error !== 'settlement_pending') return answer
      } catch (error) {
        if (performance.now() > until) throw error
      }
      if (performance.now() > until) throw new Error(`${path} was tried for ${TIMEOUT_MS} ms`)
      seen.retries += 1
      await Bun.sleep(PAUSE_MS)
    }
  }

  async function payRequest(): Promise<void> {
    const answer = await send('/v1/x402/settle', JSON.stringify(await sign()))
    if (answer.success !== true) throw new Error(JSON.stringify(answer))
    const now = performance.now()
    seen.gapMs = Math.max(seen.gapMs, now - seen.lastAt)
    seen.lastAt = now
    seen.settled += 1
  }

  async function payInvoice(): Promise<void> {
    const since = performance.now()
    const body = { tokenSymbol: 'USDC', amountExpected: '1' }
    const answer = await send('/v1/invoices', JSON.stringify(body))
    const { data } = answer
    if (data === undefined) throw new Error(JSON.stringify(answer))
    seen.worstMs = Math.max(seen.worstMs, performance.now() - since)
    seen.invoices.push(data.id)
    await payer.send(data.addresses[0]?.address ?? '', '1')
  }

  function begin(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => void seen.errors.push(String(error).slice(0, 300)))
      .finally(() => under.delete(done))
    under.add(done)
  }

  function everySoOften(perSecond: number, work: () => Promise<void>): Timer | undefined {
    if (perSecond === 0) return undefined
    const started = performance.now()
    let begun = 0
    return setInterval(
      () => {
        const due = Math.floor(((performance.now() - started) * perSecond) / 1_000)
        for (; begun < due; begun += 1) begin(work)
      },
      Math.max(5, 500 / perSecond),
    )
  }

  const timers = [
    everySoOften(options.payments, payRequest),
    everySoOften(options.invoices, payInvoice),
  ]
  const look = (): Tally => {
    const { since, lastAt, ...tally } = seen
    const now = performance.now()
    seen = { ...newTally(), lastAt }
    return { ...tally, seconds: (now - since) / 1_000 }
  }
  return {
    look,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      while (under.size > 0) await Promise.all(under)
      return look()
    },
  }
}

/** True when a client is to ask again: also while its own request before, which was cut off, is carried out. */
function isLater({ status, headers }: Response): boolean {
  return status === 503 || (status === 409 && headers.has('retry-after'))
}

function newTally() {
  const now = performance.now()
  const [invoices, errors]: [string[], string[]] = [[], []]
  const figures = { settled: 0, retries: 0, worstMs: 0, gapMs: 0 }
  return { since: now, lastAt: now, ...figures, invoices, errors }
}

/** Opens an endpoint, and makes bodies of settle requests for it, each with an authorization of its own. */
async function signerOf(stack: DevStack, payer: Payer, accounts: readonly PrivateKeyAccount[]) {
  const chain = stack.description.chains.find(({ networkId }) => networkId === NETWORK)
  const usdc = chain?.tokens.USDC
  if (chain === undefined || usdc === undefined) throw new Error('the stack has no USDC')
  const { payTo } = await callApi<{ payTo: string }>(stack, '/v1/x402/endpoints', {
    endpointUrl: `https://shop.example/${crypto.randomUUID()}`,
    asset: 'USDC',
    network: `eip155:${chain.chainId}`,
    amountUsd: formatUnits(PRICE, 6),
  })
  const { timestamp } = await payer.client.getBlock()
  const { name = '', version = '' } = usdc
  const domain = { name, version, chainId: chain.chainId, verifyingContract: usdc.address }
  const requirements = {
    scheme: 'exact',
    network: `eip155:${chain.chainId}`,
    amount: PRICE.toString(),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name, version },
  }
  let turn = 0
  return async () => {
    const account = accounts[turn++ % accounts.length]
    if (account === undefined) throw new Error('there is no payer')
    const authorization = {
      from: lowerCaseAddress(account.address),
      to: lowerCaseAddress(payTo),
      value: PRICE,
      validAfter: 0n,
      validBefore: timestamp + DAY_S,
      nonce: randomHex(32),
    }
    const signature = await account.signTypedData({
      domain,
      types: TRANSFER_WITH_AUTHORIZATION,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
    })
    return v2Body(requirements, authorization, signature)
  }
}
