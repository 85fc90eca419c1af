import { decodeFunctionResult, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  DEPLOYMENT_PROXY,
  deploymentCall,
  hubAddress,
  hubInitCode,
} from '../../chain/hub/deployment.ts'
import { encodeConfigure, type MerchantConfig } from '../../chain/hub/registry.ts'
import { missingCalls, NEW_HUB, UNLIMITED } from '../../chain/hub/setup.ts'
import { asInvoiceId, asMerchantId, type InvoiceId, type MerchantId } from '../../core/base/ids.ts'
import { baseUnits, tokenDecimals } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { readArtifact } from '../../dev/stack/artifacts.ts'
import { signMerchantConfig } from '../../test/support/hub/signatures.ts'
import { COSTLY_PROXY_CODE, DEPLOYMENT_PROXY_CODE, PROXY_CODE, PROXY_SLOT } from './codes.ts'
import { Machine, type Outcome, type Rules } from './machine.ts'

/** A distinct key per name. */
export function keyOf(name: string): Hex {
  return keccak256(toHex(name))
}

export function addressOf(name: string): Address {
  return lowerCaseAddress(privateKeyToAccount(keyOf(name)).address)
}

export function merchantOf(name: string): MerchantId {
  return asMerchantId(uuidOf(`merchant ${name}`))
}

export function invoiceOf(name: string): InvoiceId {
  return asInvoiceId(uuidOf(`invoice ${name}`))
}

/** As random as ids are in business: zeros in calldata are cheaper. */
function uuidOf(name: string): string {
  const digits = keyOf(name).slice(2, 34)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const RELAYER = 'relayer'
export const OWNER = 'owner'
export const COLLECTOR = 'collector'
/** The owner's delay, in s. */
export const OWNER_DELAY_S = 172_800

/** A chain with a configured hub, a token behind a proxy, and a token whose transfers burn 350,000 gas. */
export class Stage {
  private constructor(
    readonly machine: Machine,
    readonly hub: Address,
    readonly deployment: Outcome,
    readonly usdc: Address,
    readonly costly: Address,
  ) {}

  static async open(rules: Rules): Promise<Stage> {
    const machine = await Machine.start(rules)
    await machine.place(DEPLOYMENT_PROXY, DEPLOYMENT_PROXY_CODE)
    const initCode = await hubInitCode(addressOf(OWNER), 'sandbox')
    const { to, data } = deploymentCall(initCode)
    const deployment = await machine.send(keyOf(OWNER), to, data, machine.plenty)
    const usdc = await openToken(machine, 'usdc', PROXY_CODE)
    const costly = await openToken(machine, 'costly', COSTLY_PROXY_CODE)
    const stage = new Stage(machine, hubAddress(initCode), deployment, usdc, costly)
    await stage.setUp()
    return stage
  }

  /** Registers a merchant with a fee of 1 %, at most 50 tokens. */
  async register(names: readonly string[]): Promise<void> {
    await this.machine.prepare(keyOf(RELAYER), this.hub, await this.registration(names))
  }

  /** The call that registers merchants. */
  async registration(names: readonly string[]): Promise<Hex> {
    const entries = names.map(async (name) => {
      const terms = { merchantId: merchantOf(name), treasury: addressOf(`treasury ${name}`) }
      const fees = { feeBps: 100, feeCap: baseUnits(50_000_000n) }
      const config: MerchantConfig = { ...terms, ...fees, version: 1 }
      const signature = await signMerchantConfig(keyOf('config signer'), this.hub, config)
      return { config, signature }
    })
    return encodeConfigure(await Promise.all(entries))
  }

  /** Mints tokens, in base units. */
  async mint(token: Address, to: Address, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to, amount] })
    await this.machine.prepare(keyOf(OWNER), token, data)
  }

  async blacklist(account: Address): Promise<void> {
    const args = [account] as const
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'blacklist', args })
    await this.machine.prepare(keyOf(OWNER), this.usdc, data)
  }

  async balance(token: Address, account: Address): Promise<bigint> {
    const call = { abi: TOKEN_ABI, functionName: 'balanceOf' } as const
    const data = await this.machine.read(token, encodeFunctionData({ ...call, args: [account] }))
    return decodeFunctionResult({ ...call, data })
  }

  private async setUp(): Promise<void> {
    const setup = {
      configSigner: addressOf('config signer'),
      refundSigner: addressOf('refund signer'),
      feeCollector: addressOf(COLLECTOR),
      guardian: addressOf('guardian'),
      operators: [addressOf(RELAYER)],
      tokens: [
        {
          symbol: 'USDC',
          address: this.usdc,
          decimals: tokenDecimals(6),
          isListed: true,
          refundLimit: UNLIMITED - 1n,
        },
        {
          symbol: 'COST',
          address: this.costly,
          decimals: tokenDecimals(6),
          isListed: true,
          refundLimit: UNLIMITED - 1n,
        },
      ],
      delays: { owner: OWNER_DELAY_S, config: 86_400 },
    }
    for (const { to, data } of missingCalls(this.hub, setup, NEW_HUB)) {
      await this.machine.prepare(keyOf(OWNER), to, data)
    }
  }
}

const TOKEN_ABI = parseAbi([
  'function initialize(string name, string symbol, string version, address owner)',
  'function mint(address to, uint256 amount)',
  'function blacklist(address account)',
  'function balanceOf(address account) view returns (uint256)',
])

/** Puts the test token on the chain, its code apart and a proxy before it. */
async function openToken(machine: Machine, name: string, proxyCode: Hex): Promise<Address> {
  const implementation = addressOf(`implementation of ${name}`)
  const address = addressOf(name)
  const { deployedBytecode } = await readArtifact('TestUSDC')
  await machine.place(implementation, deployedBytecode)
  await machine.place(address, proxyCode, { slot: PROXY_SLOT, value: implementation })
  const args = ['USDC', 'USDC', '2', addressOf(OWNER)] as const
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'initialize', args })
  await machine.prepare(keyOf(OWNER), address, data)
  return address
}
