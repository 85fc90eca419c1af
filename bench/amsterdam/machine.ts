import { type Block, createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createFeeMarket1559Tx } from '@ethereumjs/tx'
import {
  Account,
  type Address as AccountAddress,
  bytesToHex,
  createAddressFromPrivateKey,
  createAddressFromString,
  hexToBytes,
  setLengthLeft,
} from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import type { Log } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'

/** Gas rules of a network. */
export interface Rules {
  readonly name: string
  readonly hardfork: Hardfork
}

export const CURRENT: Rules = { name: 'current', hardfork: Hardfork.Osaka }
/** EIP-8037 and related drafts, as in glamsterdam-devnet-8. */
export const DRAFT: Rules = { name: 'draft', hardfork: Hardfork.Amsterdam }

/**
 * The most regular gas of a transaction: EIP-7825. With EIP-8037 a gas limit may be higher; what is above
 * this is a reservoir that pays for new state alone.
 */
const REGULAR_GAS_MAX = 16_777_216n

const BLOCK_GAS = 200_000_000n
const BALANCE = 10n ** 24n
const TIME = 1_790_000_000n

/** The result of a transaction. */
export interface Outcome {
  readonly ok: boolean
  /** The gas that its sender pays for. */
  readonly gas: bigint
  /** The part of it for new state; 0 without a separate price. */
  readonly stateGas: bigint
  readonly logs: readonly Log[]
  /** The return value, or the reason of a failure. */
  readonly returned: Hex
}

/** An in-memory chain with one set of rules. Each transaction is mined at once in its own block. */
export class Machine {
  private constructor(
    readonly rules: Rules,
    private readonly common: Common,
    private readonly vm: VM,
    private block: Block,
  ) {}

  static async start(rules: Rules): Promise<Machine> {
    const common = new Common({ chain: Mainnet, hardfork: rules.hardfork })
    const stateManager = new SimpleStateManager({ common })
    const vm = await createVM({ common, stateManager })
    return new Machine(rules, common, vm, blockAt(common, TIME))
  }

  get chainId(): number {
    return Number(this.common.chainId())
  }

  /** Unix seconds of the blocks from now on. */
  get time(): bigint {
    return this.block.header.timestamp
  }

  /** Advances the clock, in seconds. */
  wait(seconds: number): void {
    this.block = blockAt(this.common, this.time + BigInt(seconds))
  }

  /** The gas limit of unmeasured transactions: the maximum of the rules. */
  get plenty(): bigint {
    return this.rules === DRAFT ? BLOCK_GAS : REGULAR_GAS_MAX
  }

  /** Sets the code and a storage word of an address. */
  async place(address: Address, code: Hex, storage?: { slot: Hex; value: Hex }): Promise<void> {
    const account = createAddressFromString(address)
    await this.account(account, 0n)
    await this.vm.stateManager.putCode(account, hexToBytes(code))
    if (storage === undefined) return
    const { slot, value } = storage
    const word = setLengthLeft(hexToBytes(value), 32)
    await this.vm.stateManager.putStorage(account, hexToBytes(slot), word)
  }

  /** Signs a transaction and runs it. Its gas limit counts, as on a network: EIP-150 sees it. */
  async send(key: Hex, to: Address | null, data: Hex, gasLimit: bigint): Promise<Outcome> {
    const secret = hexToBytes(key)
    const nonce = await this.account(createAddressFromPrivateKey(secret), BALANCE)
    const fields = { nonce, gasLimit, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n, data }
    const { common, block } = this
    const tx = createFeeMarket1559Tx(to === null ? fields : { ...fields, to }, { common })
    const skipBlockGasLimitValidation = true
    const result = await runTx(this.vm, { tx: tx.sign(secret), block, skipBlockGasLimitValidation })
    const { exceptionError, returnValue, logs = [] } = result.execResult
    return {
      ok: exceptionError === undefined,
      gas: result.totalGasSpent,
      stateGas: result.txStateGas ?? 0n,
      logs: logs.map(([address, topics, bytes], logIndex) => ({
        ...{ address: bytesToHex(address), topics: topicsOf(topics), data: bytesToHex(bytes) },
        ...{ blockHash: null, blockNumber: null, transactionHash: null, transactionIndex: null },
        ...{ logIndex, removed: false },
      })),
      returned: bytesToHex(returnValue),
    }
  }

  /** An unmeasured transaction that must succeed. */
  async prepare(key: Hex, to: Address, data: Hex): Promise<void> {
    const { ok, returned } = await this.send(key, to, data, this.plenty)
    if (!ok) throw new Error(`a preparation failed: ${returned}`)
  }

  /** Calls without a transaction; throws when the call fails. */
  async read(to: Address, data: Hex): Promise<Hex> {
    const { execResult } = await this.vm.evm.runCall({
      ...{ to: createAddressFromString(to), data: hexToBytes(data), gasLimit: BLOCK_GAS },
      block: this.block,
    })
    const returned = bytesToHex(execResult.returnValue)
    if (execResult.exceptionError) throw new Error(`a call failed: ${returned}`)
    return returned
  }

  /** Ensures a minimum balance of an account, and returns its nonce. */
  private async account(address: AccountAddress, atLeast: bigint): Promise<bigint> {
    const account = (await this.vm.stateManager.getAccount(address)) ?? new Account()
    if (account.balance < atLeast) account.balance = atLeast
    await this.vm.stateManager.putAccount(address, account)
    return account.nonce
  }
}

function blockAt(common: Common, timestamp: bigint): Block {
  const header = { number: 1n, gasLimit: BLOCK_GAS, baseFeePerGas: 1n, timestamp }
  return createBlock({ header }, { common, skipConsensusFormatValidation: true })
}

function topicsOf(topics: readonly Uint8Array[]): Log['topics'] {
  const [first, ...rest] = topics.map((topic) => bytesToHex(topic))
  return first === undefined ? [] : [first, ...rest]
}
