import { BaseError } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'

/** Reads packed values one after the other. Throws a BaseError when the answer is too short or long. */
export class AnswerReader {
  private position = 2

  constructor(private readonly answer: Hex) {}

  digits(bytes: number): string {
    const end = this.position + bytes * 2
    const digits = this.answer.slice(this.position, end)
    if (digits.length !== bytes * 2) throw this.misfit()
    this.position = end
    return digits
  }

  integer(bytes: number): bigint {
    return BigInt(`0x${this.digits(bytes)}`)
  }

  /** True, false, or null where the contract did not return it. */
  flag(): boolean | null {
    const value = this.integer(1)
    return value === 2n ? null : value === 1n
  }

  end(): void {
    if (this.position !== this.answer.length) throw this.misfit()
  }

  private misfit(): BaseError {
    return new BaseError(`the node answered ${this.answer.length / 2 - 1} bytes that make no sense`)
  }
}
