import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'
import { randomHex, signAuthorization } from '../../test/support/x402/authorizations.ts'
import { keyOf, type Posting } from './posting.ts'
import { depositPosting } from './schemes/deposits.ts'
import { approvePermit2, permitPosting } from './schemes/permits.ts'
import { schemeOf } from './schemes/requirements.ts'
import type { PaymentRequirements } from './side.ts'

/** Payers with money, and what they sign. Everything is signed before the clock runs. */

export interface Payers {
  /** Mints every payer enough for all the measurements on this chain. */
  fund(chain: HubChain): Promise<void>
  /** Lets Permit2 take it. */
  approve(chain: HubChain): Promise<void>
  /**
   * Signs payments, by one payer after the other and for one merchant after the other, from call to call, and
   * writes the requests for them.
   */
  sign(
    chain: HubChain,
    merchants: readonly PaymentRequirements[],
    count: number,
  ): Promise<readonly Posting[]>
}

/** In base units: a hundred thousand payments of a cent. */
const FUNDS = 1_000_000_000n
/** Mints that fit into a block of 200 million gas. */
const MINTS_PER_BLOCK = 1_000
/** With a block for each transaction, chain time runs ahead by up to a second with each. */
const VALID_FOR_S = 7 * 86_400

/** Makes payers; signatures are viem's, as stock clients make them. */
export function createPayers(count: number): Payers {
  const accounts = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  let signed = 0
  return {
    async fund(chain) {
      for (let first = 0; first < count; first += MINTS_PER_BLOCK) {
        const some = accounts.slice(first, first + MINTS_PER_BLOCK)
        await chain.mint(
          some.map(({ address }) => ({ to: lowerCaseAddress(address), amount: FUNDS })),
        )
      }
    },
    approve: (chain) => approvePermit2(chain, accounts),
    async sign(chain, merchants, count) {
      const postings: Posting[] = []
      for (let i = 0; i < count; i += 1) {
        const account = accounts[signed % accounts.length]
        const requirements = merchants[signed % merchants.length]
        signed += 1
        if (!account || !requirements) throw new Error('a payer or the requirements are missing')
        postings.push(await signPayment(chain, account, requirements, signed))
      }
      return postings
    },
  }
}

async function signPayment(
  chain: HubChain,
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  /** How many were signed before this one. */
  before: number,
): Promise<Posting> {
  const scheme = schemeOf(requirements)
  if (scheme === 'channels') return depositPosting(chain, account, requirements, validBefore())
  if (scheme !== null) {
    const amount = BigInt(requirements.amount) + BigInt(before)
    return permitPosting(chain, account, requirements, amount, validBefore())
  }
  return authorizationPosting(chain, account, requirements)
}

/** A payment by EIP-3009, with a signature that any account may submit. */
export async function authorizationPosting(
  chain: HubChain,
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
): Promise<Posting & { readonly signature: Hex }> {
  const authorization = authorizationOf(lowerCaseAddress(account.address), requirements)
  const signature = await signAuthorization(chain, account, authorization)
  return { ...postingOf(authorization, signature, requirements), signature }
}

function postingOf(a: Authorization, signature: Hex, requirements: PaymentRequirements): Posting {
  return { authorization: a, key: keyOf(a), body: bodyOf(a, signature, requirements) }
}

function validBefore(): bigint {
  return BigInt(Math.floor(Date.now() / 1000) + VALID_FOR_S)
}

function authorizationOf(from: Address, requirements: PaymentRequirements): Authorization {
  return {
    from,
    to: lowerCaseAddress(requirements.payTo),
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: validBefore(),
    nonce: randomHex(32),
  }
}

/** A payment of a contract wallet that agrees to any signature. */
export function walletPosting(wallet: Address, requirements: PaymentRequirements): Posting {
  return postingOf(authorizationOf(wallet, requirements), randomHex(65), requirements)
}

/** What the stock clients of x402's version 2 post. */
function bodyOf(a: Authorization, signature: Hex, requirements: PaymentRequirements): string {
  const times = { validAfter: a.validAfter.toString(), validBefore: a.validBefore.toString() }
  const { from, to, nonce } = a
  const authorization = { from, to, value: a.value.toString(), ...times, nonce }
  return JSON.stringify({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://shop.example/weather', description: 'Weather', mimeType: '' },
      accepted: requirements,
      payload: { signature, authorization },
    },
    paymentRequirements: requirements,
  })
}
